import type { StepType } from '../../engine/api/step-type.js';
import type { Place } from '../../engine/model/source-node.js';
import type { StepNode } from '../../engine/model/workflow-definition.js';
import { everyStep, outline } from './outline.js';
import type { Rule } from './rule.js';
import { addressOf } from './addresses.js';
import { ending } from './unreachable-steps.js';

interface Call {
  readonly to: string;
  readonly place: Place;
}

/** Steps of these keywords always send. */
const sending: ReadonlySet<string> = new Set(['target', 'to']);

export const endlessCycle: Rule = {
  id: 'endless-cycle',
  sentence: 'Workflows that call each other over direct or tool have a way out.',
  check({ workspace, steps: types, error }) {
    const calls = new Map<string, readonly Call[]>();
    const shown = new Map<string, string>();
    for (const { id, trigger, steps } of workspace.workflows) {
      const address = addressOf(trigger.uri);
      if (!address) continue;
      calls.set(address, certainCalls(steps, types));
      if (trigger.shownPath !== undefined) shown.set(address, id);
    }
    for (const { definition, steps } of workspace.tools) {
      if (steps.length > 0) calls.set(`tool://${definition.id}`, certainCalls(steps, types));
    }
    const done = new Set<string>();
    const walk = (address: string, path: readonly string[]): void => {
      done.add(address);
      for (const { to, place } of calls.get(address) ?? []) {
        const inner = [...path, address];
        const start = inner.indexOf(to);
        if (start >= 0) {
          const circle = [...inner.slice(start), to].map((one) => shown.get(one) ?? one).join(' → ');
          error(place, `This never ends: ${circle}. Put the call under a condition, or stop before it.`);
        } else if (!done.has(to)) walk(to, inner);
      }
    };
    for (const address of calls.keys()) if (!done.has(address)) walk(address, []);
  },
};

/** Calls that every exchange makes: steps of the top list, up to the first that may end the workflow. */
function certainCalls(steps: readonly StepNode[], types: readonly StepType[]): readonly Call[] {
  const calls: Call[] = [];
  for (const step of steps) {
    if (step.disabled) continue;
    if (step.keyword === 'filter') break;
    const inside = [...everyStep([step], types)];
    if (inside.some((inner) => ending.has(inner.step.keyword))) break;
    if (!sending.has(step.keyword)) continue;
    for (const { uri, place } of outline(step, types).targets) {
      const to = addressOf(uri);
      if (to) calls.push({ to, place });
    }
  }
  return calls;
}
