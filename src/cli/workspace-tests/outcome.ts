import { matchedCode } from '../../common/engine/error-handlers/exception-clause.js';
import type { Exchange } from '../../common/engine/model/exchange.js';

/** Where and why a workflow failed. */
export interface OutcomeFailure {
  readonly code: string;
  readonly message: string;
  readonly step: string | null;
}

/** What came of the last message of a test. */
export interface Outcome {
  /** Null where the trigger is no HTTP server. */
  readonly status: number | null;
  readonly body: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly failure: OutcomeFailure | null;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Virtual milliseconds from the first message, or from the start where there was none, to the last reply. */
  readonly elapsedMs: number;
}

export function failureOf({ failure, failedAt, workflowId }: Exchange): OutcomeFailure | null {
  if (failure === null) return null;
  const step = failedAt?.stepId ?? null;
  const inner = failedAt?.workflowId !== workflowId && failedAt?.workflowId ? `${failedAt.workflowId}/` : '';
  return {
    code: matchedCode(failure),
    message: failure.message,
    step: step === null ? null : `${inner}${step}`,
  };
}
