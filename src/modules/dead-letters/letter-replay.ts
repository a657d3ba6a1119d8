import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { MASK, REPLAY_HEADER } from '../../components/dead-letter/index.js';
import { matchedCode } from '../../common/engine/error-handlers/exception-clause.js';
import { type AuthContext, callerOf } from '../access/index.js';
import { WorkflowEngine } from '../workflow-engine/index.js';
import { type DeadLetter, isWhole, type ReplayOutcome } from './dead-letter.js';

/** Sends letters to their workflows again. */
@Injectable()
export class LetterReplay {
  constructor(
    private readonly engine: WorkflowEngine,
    private readonly log: HelixLog,
  ) {}

  /** @throws HelixError `LETTER.NOT_REPLAYABLE`, and why */
  check(letter: DeadLetter): void {
    const { workflowId } = letter;
    if (workflowId === null)
      throw notReplayable(
        'The message was part of a way only (a wire-tap, a group, a step without a workflow around it): send what it came from again.',
      );
    if (!isWhole(letter)) throw notReplayable(letter.bodyNote ?? 'The body is not whole.');
    const workflow = this.engine.get(workflowId);
    if (workflow === undefined)
      throw notReplayable(
        `There is no workflow "${workflowId}" any more: put it back, or discard the letter.`,
      );
    if (workflow.state !== 'started')
      throw notReplayable(`The workflow "${workflowId}" is ${workflow.state}: start it first.`);
  }

  /** Runs the workflow on the message as it was received. What was masked is left out. Never rejects. */
  async send(letter: DeadLetter, auth: AuthContext): Promise<ReplayOutcome> {
    try {
      const workflowId = letter.workflowId ?? '';
      const exchange = this.engine.exchange(workflowId, {
        pattern: letter.pattern,
        body: bodyOf(letter),
        headers: { ...withoutMasked(letter.headers), [REPLAY_HEADER]: letter.id },
        caller: callerOf(auth, letter.projectId),
        correlationId: letter.correlationId,
      });
      if (letter.attributes !== null) exchange.setProperty('attributes', withoutMasked(letter.attributes));
      await this.engine.run(workflowId, exchange);
      if (exchange.failure === null) return { status: 'succeeded', error: null };
      return this.#failed(exchange.failure);
    } catch (thrown) {
      return this.#failed(HelixError.from(thrown));
    }
  }

  #failed(failure: HelixError): ReplayOutcome {
    const message = this.log.redact(failure.message).slice(0, 4_000);
    return { status: 'failed', error: { code: matchedCode(failure), message } };
  }
}

function bodyOf({ bodyKind, body }: Pick<DeadLetter, 'bodyKind' | 'body'>): unknown {
  if (bodyKind === 'bytes') return body;
  const text = body.toString('utf8');
  return bodyKind === 'text' ? text : (JSON.parse(text) as unknown);
}

function withoutMasked(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(values).filter(([, value]) => value !== MASK);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? withoutMasked(value as Record<string, unknown>)
        : value,
    ]),
  );
}

function notReplayable(message: string): HelixError {
  return new HelixError('LETTER.NOT_REPLAYABLE', message);
}
