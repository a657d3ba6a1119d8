import { EndpointUri } from '../../engine/model/endpoint-uri.js';
import type { Place } from '../../engine/model/source-node.js';
import type { StepNode, UriNode } from '../../engine/model/workflow-definition.js';
import { addressOf } from './addresses.js';
import { everyStep } from './outline.js';
import type { Rule, RuleContext } from './rule.js';

interface Call {
  readonly to: string;
  readonly place: Place;
}

/** Steps that hand over and go on, whatever the target. */
const unwaiting: ReadonlySet<string> = new Set(['wire-tap']);

/**
 * A warning, since it depends on the exchange: where no reply is expected, nobody waits. Calls under a condition count
 * too, for once is enough.
 */
export const sedaDeadlock: Rule = {
  id: 'seda-deadlock',
  sentence: 'A workflow that reads a seda queue does not wait for that queue.',
  check(context) {
    const { workspace, warning } = context;
    const calls = new Map<string, readonly Call[]>();
    for (const { trigger, steps } of workspace.workflows) {
      const address = addressOf(trigger.uri) ?? queueOf(trigger.uri);
      if (address) calls.set(address, waitingCalls(steps, context));
    }
    for (const { definition, steps } of workspace.tools) {
      if (steps.length > 0) calls.set(`tool://${definition.id}`, waitingCalls(steps, context));
    }
    for (const queue of calls.keys()) {
      if (!queue.startsWith('seda:')) continue;
      const seen = new Set<string>();
      const walk = (address: string): void => {
        for (const { to, place } of calls.get(address) ?? []) {
          if (to === queue) {
            warning(
              place,
              `This waits for ${queue}, which is read by the very workflow that waits: it can end by the time-out only. Write wait=never.`,
            );
          } else if (!seen.has(to)) {
            seen.add(to);
            walk(to);
          }
        }
      };
      walk(queue);
    }
  },
};

function queueOf(uri: string): string | null {
  const match = /^\s*seda:(?:\/\/)?([^?]*)/i.exec(uri);
  return match ? `seda://${match[1]?.trim()}` : null;
}

function waitingCalls(steps: readonly StepNode[], { steps: types }: RuleContext): readonly Call[] {
  const calls: Call[] = [];
  for (const { step, targets } of everyStep(steps, types)) {
    if (unwaiting.has(step.keyword)) continue;
    for (const target of targets) {
      const queue = queueOf(target.uri);
      const to = queue === null ? addressOf(target.uri) : waits(target) ? queue : null;
      if (to) calls.push({ to, place: target.place });
    }
  }
  return calls;
}

function waits({ uri, parameters }: UriNode): boolean {
  try {
    return EndpointUri.parse(uri, parameters).options.get('wait') !== 'never';
  } catch {
    // Reported where the workflow is built.
    return false;
  }
}
