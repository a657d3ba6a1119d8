import { schemeOf } from './addresses.js';
import type { Rule } from './rule.js';

/** Triggers whose message is nothing without steps. */
const idle: ReadonlySet<string> = new Set(['timer', 'cron', 'seda', 'file']);

export const emptyWorkflow: Rule = {
  id: 'empty-workflow',
  sentence: 'A workflow that is started does something.',
  check({ workspace, warning }) {
    for (const { id, trigger, steps, place, disabled } of workspace.workflows) {
      if (disabled || !idle.has(schemeOf(trigger.uri)) || steps.some((step) => !step.disabled)) continue;
      warning(place, `The workflow "${id}" does nothing: give it steps, or remove it.`);
    }
  },
};
