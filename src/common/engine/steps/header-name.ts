import type { RouteBuilder } from '../api/route-builder.js';
import { isReservedHeader } from '../model/message-headers.js';
import type { StepNode } from '../model/workflow-definition.js';

/** Reserved headers that a workflow may set, since they are how it speaks to the engine's own edges. */
const SETTABLE = new Set(['helixhttpstatus']);

/** Reports a header name that is empty or the engine's own. */
export function checkHeaderName(name: string, node: StepNode, build: RouteBuilder): void {
  const wrong = (message: string): void =>
    build.problem({ severity: 'error', rule: 'wrong-header', message, place: node.place });
  if (name.trim() === '') wrong('A header needs a name.');
  else if (isReservedHeader(name) && !SETTABLE.has(name.toLowerCase())) {
    wrong(`"${name}" begins with Helix: such headers are the engine's own, choose another name.`);
  }
}
