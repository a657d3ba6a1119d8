import type { Caller } from '../../common/engine/model/caller.js';

/**
 * Whom a session belongs to. Never the address: a client that moves to another network goes on with its session, and an
 * unguessable session id is what guards the anonymous.
 */
export function principalOf(caller: Caller): string {
  return `${caller.organizationId ?? ''}/${caller.kind}/${caller.id}`;
}
