import type { StepType } from '../../engine/api/step-type.js';
import type { StepNode } from '../../engine/model/workflow-definition.js';
import { outline } from './outline.js';
import type { Rule, RuleContext } from './rule.js';
import { stepLists } from './step-lists.js';

/** Keywords after which the steps of the same list never run. */
export const ending: ReadonlySet<string> = new Set(['stop', 'throw']);

export const unreachableSteps: Rule = {
  id: 'unreachable-step',
  sentence: 'No step stands after one that always ends the workflow.',
  check(context) {
    for (const steps of stepLists(context.workspace)) checkList(steps, context.steps, context);
  },
};

function checkList(steps: readonly StepNode[], types: readonly StepType[], context: RuleContext): void {
  const enabled = steps.filter(({ disabled }) => !disabled);
  const end = enabled.findIndex(({ keyword }) => ending.has(keyword));
  const lost = end < 0 ? undefined : enabled[end + 1];
  if (lost) {
    const by = enabled[end];
    context.warning(
      lost.place,
      `The step "${lost.keyword}" never runs: the step "${by?.keyword}" in line ${by?.place.line} ends the workflow before it.`,
    );
  }
  for (const step of enabled) {
    for (const block of outline(step, types).blocks) checkList(block, types, context);
  }
}
