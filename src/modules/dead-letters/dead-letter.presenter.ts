import { isWhole, type DeadLetter, type DeadLetterSummary } from './dead-letter.js';
import type { DeadLetterDto, DeadLetterSummaryDto } from './dto/dead-letter.dto.js';

export function presentSummary(letter: DeadLetterSummary) {
  const { workflowId, stepId } = letter.failedAt;
  return {
    id: letter.id,
    projectId: letter.projectId,
    queue: letter.queue,
    workflowId: letter.workflowId,
    failedStep:
      workflowId === null
        ? null
        : `/workflows/${pointer(workflowId)}${stepId === null ? '' : `/steps/${pointer(stepId)}`}`,
    error: letter.error,
    attempts: letter.attempts,
    state: letter.state,
    bodyKind: letter.bodyKind,
    bodySize: letter.bodySize,
    bodyNote: letter.bodyNote,
    correlationId: letter.correlationId,
    replayOf: letter.replayOf,
    replay: letter.replay,
    endedAt: letter.endedAt?.toISOString() ?? null,
    endedBy: letter.endedBy,
    createdAt: letter.createdAt.toISOString(),
    expiresAt: letter.expiresAt.toISOString(),
  } satisfies DeadLetterSummaryDto;
}

export function presentLetter(letter: DeadLetter): DeadLetterDto {
  return { ...presentSummary(letter), body: shownBody(letter), headers: letter.headers };
}

function shownBody(letter: DeadLetter): unknown {
  const { bodyKind, body } = letter;
  if (bodyKind === 'bytes') return body.toString('base64');
  const text = body.toString('utf8');
  return bodyKind === 'json' && isWhole(letter) ? (JSON.parse(text) as unknown) : text;
}

/** RFC 6901. */
const pointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
