import type { NewDeadLetter } from '../../components/dead-letter/index.js';
import type { DeadLetterEntity } from './dead-letter.entity.js';
import type {
  DeadLetter,
  DeadLetterSummary,
  LetterError,
  LetterState,
  ReplayOutcome,
} from './dead-letter.js';

export function summaryOf(row: DeadLetterEntity): DeadLetterSummary {
  return {
    id: row.id,
    projectId: row.projectId,
    queue: row.queue,
    workflowId: row.workflowId,
    failedAt: { workflowId: row.failedWorkflowId, stepId: row.failedStepId },
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    attempts: row.attempts,
    state: row.state as LetterState,
    bodyKind: row.bodyKind as DeadLetterSummary['bodyKind'],
    bodySize: row.bodySize,
    bodyNote: row.bodyNote,
    correlationId: row.correlationId,
    replayOf: row.replayOf,
    replay: replayOf(row),
    endedAt: row.endedAt,
    endedBy: row.endedBy,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  };
}

export function letterOf(row: DeadLetterEntity): DeadLetter {
  return {
    ...summaryOf(row),
    pattern: row.pattern as DeadLetter['pattern'],
    body: row.body,
    headers: JSON.parse(row.headers) as Record<string, unknown>,
    attributes: row.attributes === null ? null : (JSON.parse(row.attributes) as Record<string, unknown>),
  };
}

/** The columns of a new row, its id and end of keeping beside. */
export function columnsOf(letter: NewDeadLetter) {
  return {
    organizationId: letter.organizationId,
    projectId: letter.projectId,
    queue: letter.queue,
    workflowId: letter.workflowId,
    failedWorkflowId: letter.failedAt.workflowId,
    failedStepId: letter.failedAt.stepId,
    errorCode: letter.error?.code ?? null,
    errorMessage: letter.error && withoutNul(letter.error.message),
    attempts: letter.attempts,
    pattern: letter.pattern,
    correlationId: withoutNul(letter.correlationId),
    bodyKind: letter.body.kind,
    body: letter.body.bytes,
    bodySize: letter.body.size,
    bodyNote: letter.body.note,
    headers: JSON.stringify(letter.headers),
    attributes: letter.attributes && JSON.stringify(letter.attributes),
    replayOf: letter.replayOf,
  };
}

/** PostgreSQL's text holds no NUL. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\uFFFD');

function replayOf({ replayOutcome, replayError }: DeadLetterEntity): ReplayOutcome | null {
  if (replayOutcome === null) return null;
  if (replayOutcome === 'succeeded') return { status: 'succeeded', error: null };
  return { status: 'failed', error: JSON.parse(replayError ?? '{}') as LetterError };
}
