import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { AppRole } from '../../common/platform/platform.module.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { type Counter, Metrics } from '../../common/platform/metrics/metrics.js';
import { readQueryFailure, sqlStateOf } from '../../common/platform/database/query-failures.js';
import { judgeCost } from '../funding/index.js';
import { type DispatchOutcome, ToolDispatcher } from '../tools/index.js';
import { Batcher } from './batcher.js';
import {
  type BeginOutcome,
  CallJournal,
  type Finish,
  type Finished,
  leaseSeconds,
  type LeasedCall,
  type NewCall,
} from './call-journal.js';
import { ofAllTries, readOutcome } from './call-outcome.js';
import { OddCosts } from './odd-costs.js';
import { ToolCallsRepository } from './tool-calls.repository.js';

const beatMs = (leaseSeconds * 1000) / 3;
const sweepMs = 2_000;
/** Orphans one sweep takes over at most, so that a node that comes back is not buried. */
const recoveredAtOnce = 32;
/** How long calls may go on after the stop was asked for. */
const drainMs = 10_000;

/** How a run ended for this node: with what it wrote, or `lost` when another node holds the lease by now. */
export type RunEnd =
  ({ readonly kind: 'finished'; readonly finish: Finish } & Finished) | { readonly kind: 'lost' };

export interface Progress {
  startedAt: Date | null;
  attempts: number;
}

interface Running {
  readonly controller: AbortController;
  readonly end: Promise<RunEnd>;
}

/**
 * Runs durable calls on the node that took them, under a lease, and takes over those of nodes that were lost. Nobody's
 * leaving cancels a run: the caller's request only waits for it.
 */
@Injectable()
export class CallRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** New at each start: a node that comes back does not mistake its former calls for running ones. */
  readonly #owner = randomUUID();
  readonly #running = new Map<string, Running>();
  readonly #begins: Batcher<NewCall, BeginOutcome>;
  readonly #starts: Batcher<string, { startedAt: Date; attempts: number } | null>;
  readonly #finishes: Batcher<Finish, Finished | null>;
  readonly #fallbacks: Counter;
  #beats: NodeJS.Timeout | undefined;
  #sweeps: NodeJS.Timeout | undefined;
  #isSweeping = false;
  #isStopping = false;

  constructor(
    private readonly journal: CallJournal,
    private readonly calls: ToolCallsRepository,
    private readonly dispatcher: ToolDispatcher,
    private readonly odd: OddCosts,
    private readonly log: HelixLog,
    private readonly role: AppRole,
    metrics: Metrics,
  ) {
    this.#fallbacks = metrics.counter(
      'helix_call_batch_fallbacks_total',
      'Batches of tool calls that could not be written as one statement: tried again, or one by one.',
      ['kind'],
    );
    this.#begins = this.#batcher('begin', (items) => journal.begin(this.#owner, items));
    this.#starts = this.#batcher('start', (items) => journal.start(this.#owner, items));
    this.#finishes = this.#batcher('finish', (items) => journal.finish(this.#owner, items));
  }

  /** A command that only looks in runs nobody's calls. */
  onApplicationBootstrap(): void {
    if (this.role.name === 'visit') return;
    this.#beats = this.#every(beatMs, () => this.#beat());
    this.#sweeps = this.#every(sweepMs, () => this.#sweep());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweeps);
    const ends = Promise.allSettled([...this.#running.values()].map(({ end }) => end));
    await Promise.race([ends, pause(drainMs, undefined, { ref: false })]);
    for (const { controller } of this.#running.values())
      controller.abort(new HelixError('ENGINE.STOPPING', 'The server is shutting down.'));
    await Promise.race([ends, pause(1_000, undefined, { ref: false })]);
    clearInterval(this.#beats);
    await this.journal.release(this.#owner);
  }

  /** Writes a new call, with what it holds of the wallet. */
  async begin(call: NewCall): Promise<BeginOutcome> {
    if (this.#isStopping)
      throw new HelixError('ENGINE.STOPPING', 'The server is shutting down: send the call again.');
    return this.#begins.add(call);
  }

  /** Runs a call whose lease this node holds; `progress` is kept up to date on the way. Never rejects. */
  run(call: LeasedCall, progress: Progress): Promise<RunEnd> {
    const controller = new AbortController();
    const end = this.#run(call, progress, controller.signal)
      .catch((error: unknown): RunEnd => {
        this.log.write('error', 'A tool call could not be brought to its end.', { callId: call.id, error });
        return { kind: 'lost' };
      })
      .finally(() => this.#running.delete(call.id));
    this.#running.set(call.id, { controller, end });
    return end;
  }

  async #run(call: LeasedCall, progress: Progress, signal: AbortSignal): Promise<RunEnd> {
    if (call.needsMark) {
      const started = await this.#persist(() => this.#starts.add(call.id));
      if (started === null) return { kind: 'lost' };
      Object.assign(progress, started);
    }
    const tried = await this.dispatcher.dispatch(
      {
        callId: call.id,
        attempt: progress.attempts,
        provider: call.provider,
        toolId: call.toolId,
        input: JSON.parse(call.inputJson) as unknown,
        caller: {
          kind: call.createdBy.type,
          id: call.createdBy.id,
          organizationId: call.organizationId,
          projectId: call.projectId,
          address: null,
        },
        source: call.fundingSource,
      },
      signal,
    );
    const outcome = ofAllTries(tried, progress.attempts);
    // Interrupted by our own stop: its lease is let go, and the next node runs it again.
    if (this.#isStopping && call.mayRunAgain && outcome.kind === 'lost') return { kind: 'lost' };
    const finish = this.#finishOf(call, outcome);
    const finished = await this.#persist(() => this.#finishes.add(finish));
    if (finished !== null) return { kind: 'finished', finish, ...finished };
    return this.#afterLoss(finish);
  }

  #finishOf(call: LeasedCall, outcome: DispatchOutcome): Finish {
    const { verdict: cost, isOdd } = judgeCost(outcome.cost);
    if (isOdd) this.odd.report(call.id, call.provider);
    return {
      id: call.id,
      organizationId: call.organizationId,
      creatorId: call.createdBy.id,
      isPaid: call.fundingSource === 'hlix',
      cost,
      reference: outcome.reference,
      ...readOutcome(outcome, (text) => this.log.secrets.redact(text)),
    };
  }

  /** The update changed nothing: either an earlier try was committed without our hearing of it, or the lease is lost. */
  async #afterLoss(finish: Finish): Promise<RunEnd> {
    const ended = await this.#persist(() => this.calls.findEnd(finish.id));
    if (ended?.leaseOwner === this.#owner && ended.completedAt !== null && ended.status === finish.status)
      return { kind: 'finished', finish, completedAt: ended.completedAt, cost: ended.cost };
    const kept = await this.#persist(() => this.journal.keepLateOutcome(finish));
    this.log.write('warn', 'A tool call ended after its lease was lost; the end it had is not reported.', {
      callId: finish.id,
      status: finish.status,
      keptForReconciliation: kept,
    });
    return { kind: 'lost' };
  }

  /** What a finished tool said must not be forgotten because the database is away: asks until it is back. */
  async #persist<T>(write: () => Promise<T>): Promise<T> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 5_000)) {
      try {
        return await write();
      } catch (error) {
        const isOutage = readQueryFailure(error)?.code === 'PLATFORM.DATABASE_UNAVAILABLE';
        if (!isOutage || this.#isStopping) throw error;
        await pause(wait, undefined, { ref: false });
      }
    }
  }

  async #beat(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    const own = await this.journal.beat(this.#owner, ids);
    for (const id of ids) if (!own.has(id)) await this.#checkLease(id);
  }

  /** A call that the beat did not renew is being finished right now, or belongs to somebody else. */
  async #checkLease(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    const stored = await this.calls.findEnd(id);
    if (stored === null || stored.leaseOwner === this.#owner) return;
    running.controller.abort(new HelixError('ENGINE.CANCELLED', 'Another node took over the call.'));
  }

  async #sweep(): Promise<void> {
    if (this.#isSweeping || this.#isStopping) return;
    this.#isSweeping = true;
    try {
      const orphans = await this.journal.recover(this.#owner, [...this.#running.keys()], recoveredAtOnce);
      for (const call of orphans) {
        this.log.write('info', 'A tool call whose node was lost runs again.', {
          callId: call.id,
          toolId: call.toolId,
        });
        void this.run(call, { startedAt: null, attempts: 0 });
      }
    } finally {
      this.#isSweeping = false;
    }
  }

  #every(ms: number, task: () => Promise<void>): NodeJS.Timeout {
    const run = () => {
      task().catch((error: unknown) => this.log.write('warn', 'Looking after leases failed.', { error }));
    };
    return setInterval(run, ms).unref();
  }

  #batcher<Item, Outcome>(kind: string, flush: (items: readonly Item[]) => Promise<readonly Outcome[]>) {
    return new Batcher<Item, Outcome>({
      flush,
      isRepeatable: (error) => ['40001', '40P01'].includes(sqlStateOf(error) ?? ''),
      onFallback: (error, size) => {
        this.#fallbacks.add(1, { kind });
        this.log.write('warn', 'A batch of tool calls was not written at once and is tried again.', {
          kind,
          size,
          error,
        });
      },
    });
  }
}
