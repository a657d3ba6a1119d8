import type { ExchangePattern } from '../../common/engine/model/exchange.js';

export const letterStates = ['open', 'replayed', 'discarded'] as const;
export type LetterState = (typeof letterStates)[number];

export interface LetterError {
  readonly code: string;
  readonly message: string;
}

/** How sending it again ended. */
export type ReplayOutcome =
  | { readonly status: 'succeeded'; readonly error: null }
  | { readonly status: 'failed'; readonly error: LetterError };

/** A dead letter without its message. */
export interface DeadLetterSummary {
  /** `dl_` and a UUIDv7. */
  readonly id: string;
  readonly projectId: string | null;
  /** The name in `dead-letter://name`. */
  readonly queue: string;
  /** The workflow that takes it when it is sent again; null where it was part of a way only. */
  readonly workflowId: string | null;
  readonly failedAt: { readonly workflowId: string | null; readonly stepId: string | null };
  /** Null where a step put the message aside without a failure. */
  readonly error: LetterError | null;
  readonly attempts: number;
  readonly state: LetterState;
  readonly bodyKind: 'json' | 'text' | 'bytes';
  /** Bytes it had before it was cut. */
  readonly bodySize: number;
  readonly bodyNote: string | null;
  readonly correlationId: string;
  /** The letter whose replay made this one. */
  readonly replayOf: string | null;
  /** Null until it was sent again and has ended. */
  readonly replay: ReplayOutcome | null;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface DeadLetter extends DeadLetterSummary {
  readonly pattern: ExchangePattern;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, unknown>> | null;
}

/** Whether the body is all that was received. */
export function isWhole({ body, bodySize, bodyKind }: DeadLetter): boolean {
  return body.length === bodySize && (bodyKind !== 'json' || bodySize > 0);
}

/** Which letters somebody may see. */
export interface LetterOwner {
  readonly organizationId: string;
  /** The workspace that stands for the deployment also sees what nobody of a workspace sent. */
  readonly isHome: boolean;
  /** null: letters of every project and of none. */
  readonly projectIds: readonly string[] | null;
}

export interface LetterFilter {
  readonly queue: string | null;
  readonly workflowId: string | null;
  readonly code: string | null;
  readonly state: LetterState | null;
}
