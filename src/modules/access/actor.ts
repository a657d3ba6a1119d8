import type { AuthContext, Identity } from './auth-context.js';

/** Who changes something, for the audit log. */
export interface Actor {
  readonly type: Identity['type'] | 'operator';
  /** Public id of the credential, or the user's id for a session. */
  readonly id: string;
  /** The person behind it; null for the operator at the command line. */
  readonly userId: string | null;
  /** Client address after trusted proxies. */
  readonly address: string | null;
}

/** Whoever runs commands on the machine itself, or the first start. */
export const operator: Actor = Object.freeze({
  type: 'operator',
  id: 'operator',
  userId: null,
  address: null,
});

export function actorOf({ identity, address }: AuthContext): Actor {
  return actorBehind(identity, address);
}

export function actorBehind({ type, id, userId }: Identity, address: string | null): Actor {
  return { type, id, userId, address };
}
