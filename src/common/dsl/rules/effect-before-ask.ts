import type { StepNode } from '../../engine/model/workflow-definition.js';
import { outline } from './outline.js';
import type { Rule, RuleContext } from './rule.js';

/** Schemes whose targets only hand the message on or look at it. */
const harmless = /^\s*(direct|log|mock|tool):/i;

export const effectBeforeAsk: Rule = {
  id: 'effect-before-ask',
  sentence: 'What stands before ask is safe to do again with each answer.',
  check(context) {
    for (const { steps } of context.workspace.workflows) look(steps, context);
  },
};

/** Only one list at a time: whether a branch is taken before another step cannot be told. */
function look(steps: readonly StepNode[], context: RuleContext): void {
  const active = steps.filter(({ disabled }) => !disabled);
  const last = active.findLastIndex(({ keyword }) => keyword === 'ask');
  for (const [index, step] of active.entries()) {
    const { targets, blocks } = outline(step, context.steps);
    for (const block of blocks) look(block, context);
    if (index >= last) continue;
    for (const target of targets) {
      if (harmless.test(target.uri)) continue;
      context.info(
        target.place,
        'A client of MCP 2026-07-28 answers by calling again, and this is then done again: put it behind ask.',
      );
    }
  }
}
