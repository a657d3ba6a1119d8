import { addressOf, schemeOf } from './addresses.js';
import { isComputed } from './outline.js';
import type { Rule } from './rule.js';
import { allSteps, deadLetter } from './step-lists.js';

export const unusedWorkflow: Rule = {
  id: 'unused-workflow',
  sentence: 'Something sends to each direct workflow.',
  check({ workspace, steps: types, info }) {
    const { workflows } = workspace;
    const steps = allSteps(workspace, types);
    // Whoever serves workflows as tools reaches those with a schema, and a computed target reaches any.
    const isServed = workflows.some(({ trigger }) =>
      /^(mcp-server|agui|a2a-server)$/.test(schemeOf(trigger.uri)),
    );
    if (steps.some(isComputed)) return;
    const used = new Set(
      [
        ...steps.flatMap(({ targets }) => targets),
        ...[workspace, ...workflows].flatMap(({ errorHandler }) => deadLetter(errorHandler) ?? []),
      ].map(({ uri }) => addressOf(uri)),
    );
    for (const { id, trigger, place, inputSchema, disabled } of workflows) {
      if (disabled || schemeOf(trigger.uri) !== 'direct' || used.has(addressOf(trigger.uri))) continue;
      if (inputSchema !== null && isServed) continue;
      info(place, `Nothing in this workspace sends to the workflow "${id}".`);
    }
  },
};
