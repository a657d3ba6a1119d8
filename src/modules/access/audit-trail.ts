import type { Actor } from './actor.js';

/** What was done, in words that stay: `<target>.<verb>`. */
export type AuditAction =
  | `organization.${'create' | 'update'}`
  | `member.${'add' | 'update' | 'remove'}`
  | `invitation.${'create' | 'revoke'}`
  | `project.${'create' | 'update' | 'remove'}`
  | `collaborator.${'add' | 'update' | 'remove'}`
  | `apiKey.${'create' | 'rotate' | 'revoke'}`
  | `taskCredential.${'create' | 'revoke'}`
  | `connection.${'save' | 'remove'}`
  | `deadLetter.${'replay' | 'discard'}`
  | `session.${'login' | 'logout'}`
  | `wallet.${'topUp' | 'adjust'}`
  | `password.${'change' | 'reset'}`
  | 'identity.bind'
  | `workflow.${'start' | 'stop' | 'restart' | 'reload'}`;

export interface AuditEvent {
  readonly action: AuditAction;
  /** The workspace it was done in; null for what belongs to none. */
  readonly organizationId: string | null;
  readonly actor: Actor;
  /** Id of what was changed. */
  readonly target: string;
  /** What else tells the change: names, roles, scopes. Never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

/** What access and every administrative service ask of whoever keeps the audit log. */
export abstract class AuditTrail {
  /** Within the transaction of the change itself: what was not written was not done, and the other way round. */
  abstract record(event: AuditEvent): Promise<void>;
}
