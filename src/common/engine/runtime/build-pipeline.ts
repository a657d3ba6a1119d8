import { abortReason } from '../api/abort.js';
import type { ErrorHandler } from '../api/error-handler.js';
import type { Interceptor, StepInfo } from '../api/interceptor.js';
import type { Processor } from '../api/processor.js';
import { journey, type Exchange, type Journey } from '../model/exchange.js';
import { breathe, breathIsDue } from './breather.js';
import { compose } from './compose.js';

/** A step ready to run: what it is and what it does. */
export interface PipelineStep {
  readonly info: StepInfo;
  readonly process: Processor;
}

/**
 * The one way steps become a processor. Around each step stand, from the outside in: interceptors of scope `step`, the
 * error handler, interceptors of scope `attempt`.
 *
 * The processor never throws and never rejects: what fails is `exchange.failure`, and the steps after it do not run. It
 * is flat (no stack grows with the number of steps), costs no turn of the event loop while steps are synchronous, and
 * lets the event loop in every few milliseconds all the same.
 */
export function buildPipeline(
  steps: readonly PipelineStep[],
  interceptors: readonly Interceptor[],
  errorHandler: ErrorHandler | null,
  checked = false,
): Processor {
  const once = interceptors.filter(({ scope }) => scope === 'step');
  const perAttempt = interceptors.filter(({ scope }) => scope === 'attempt');
  const chain = steps.map(({ info, process }) => {
    const attempt = compose(info, process, perAttempt, checked);
    return compose(info, errorHandler?.wrap(info, attempt) ?? attempt, once, checked);
  });
  const stepIds = steps.map(({ info }) => info.stepId);

  /** @param mine the journey the exchange was on before the pending step began */
  async function resume(
    exchange: Exchange,
    mine: Journey | null,
    from: number,
    first: Promise<void>,
  ): Promise<void> {
    let pending: Promise<void> | undefined = first;
    for (let at = from; ; at++) {
      if (pending !== undefined) {
        try {
          await pending;
        } catch (thrown) {
          if (exchange[journey] === mine) fail(exchange, thrown);
        }
        if (exchange[journey] !== mine) return;
      }
      if (at >= chain.length || isOver(exchange)) return;
      if (breathIsDue()) await breathe();
      pending = start(exchange, at);
    }
  }

  function start(exchange: Exchange, at: number): Promise<void> | undefined {
    exchange.stepId = stepIds[at] ?? null;
    try {
      return (chain[at] as Processor)(exchange) ?? undefined;
    } catch (thrown) {
      fail(exchange, thrown);
      return undefined;
    }
  }

  return (exchange) => {
    const mine = exchange[journey];
    for (let at = 0; at < chain.length; at++) {
      if (isOver(exchange)) return;
      if (breathIsDue()) return resume(exchange, mine, at, breathe());
      const pending = start(exchange, at);
      if (pending !== undefined) return resume(exchange, mine, at + 1, pending);
    }
  };
}

function isOver(exchange: Exchange): boolean {
  if (exchange.isAborted) exchange.fail(abortReason(exchange.cancellation));
  return exchange.failure !== null || exchange.stopped;
}

/** An abort that surfaces as some library's `AbortError` is told as what it is: the time-out, the caller, the stop. */
function fail(exchange: Exchange, thrown: unknown): void {
  const { cancellation } = exchange;
  const isEcho =
    cancellation.aborted &&
    (thrown === cancellation.reason ||
      (thrown instanceof Error && /^(Abort|Timeout)Error$/.test(thrown.name)));
  exchange.fail(isEcho ? abortReason(cancellation) : thrown);
}
