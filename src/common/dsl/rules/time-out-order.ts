import { parseDuration } from '../../engine/api/options.js';
import { EndpointUri } from '../../engine/model/endpoint-uri.js';
import type { StepNode, UriNode } from '../../engine/model/workflow-definition.js';
import { everyStep } from './outline.js';
import type { Rule, RuleContext } from './rule.js';

export const timeOutOrder: Rule = {
  id: 'time-out-order',
  sentence: 'What a workflow waits for takes no longer than the workflow may take.',
  check(context) {
    const { tools, workflows } = context.workspace;
    for (const { id, timeoutMs, steps } of workflows) checkSteps(id, timeoutMs, steps, context);
    for (const { definition, steps } of tools)
      checkSteps(definition.id, definition.policy.timeoutMs, steps, context);
  },
};

function checkSteps(
  id: string,
  limitMs: number | null,
  steps: readonly StepNode[],
  { steps: types, warning }: RuleContext,
): void {
  if (limitMs === null) return;
  for (const { step, targets } of everyStep(steps, types)) {
    if (step.keyword === 'wire-tap') continue;
    for (const target of targets) {
      const own = timeOutOf(target);
      if (own === null || own <= limitMs) continue;
      warning(
        target.place,
        `This may take ${shown(own)}, and "${id}" is given up after ${shown(limitMs)}: shorten the time-out of the one, or lengthen that of the other.`,
      );
    }
  }
}

function timeOutOf({ uri, parameters }: UriNode): number | null {
  try {
    return parseDuration(EndpointUri.parse(uri, parameters).options.get('timeout'));
  } catch {
    // Reported where the workflow is built.
    return null;
  }
}

function shown(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
