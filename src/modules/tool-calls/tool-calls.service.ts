import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { PageCursors } from '../../common/platform/crypto/page-cursors.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { type AuthContext, mayAccessProject } from '../access/index.js';
import type { NewCall } from './call-journal.js';
import { FundingService, type Hold, type LedgerEntry } from '../funding/index.js';
import { CallPlanner } from './call-planner.js';
import { CallRunner, type Progress, type RunEnd } from './call-runner.js';
import { hashRequest, requestHashVersion } from './request-hash.js';
import type { StoredCall } from './tool-call.mapper.js';
import { ToolCallsRepository } from './tool-calls.repository.js';
import type { CallRequest, ToolCall, ToolCallSummary } from './tool-call.js';

export interface NewCallRequest extends CallRequest {
  readonly idempotencyKey: string;
}

export interface CallAnswer {
  readonly call: ToolCall;
  /** The key was known: nothing was run for this request. */
  readonly isReplay: boolean;
}

export interface Receipt {
  readonly call: ToolCall;
  /** null: the wallet does not pay. */
  readonly hold: Hold | null;
  readonly entries: readonly LedgerEntry[];
}

/** Durable calls: written before they run, run once for a key, and readable ever after. */
@Injectable()
export class ToolCallsService {
  constructor(
    private readonly config: HelixConfig,
    private readonly calls: ToolCallsRepository,
    private readonly runner: CallRunner,
    private readonly planner: CallPlanner,
    private readonly funding: FundingService,
    private readonly cursors: PageCursors,
    private readonly ids: UuidV7,
  ) {}

  /**
   * Runs a tool, or finds the call that the key stands for already. What the key says comes before everything that may
   * have changed since: a call whose tool has vanished is still answered.
   * @param waitMs how long to wait for the end; the configured time where it is left out. A replay never waits
   * @throws HelixError `CALL.IDEMPOTENCY_MISMATCH`, or why the call cannot be made; nothing is stored then
   */
  async call(
    auth: AuthContext,
    request: NewCallRequest,
    waitMs = this.config.callWaitMs,
  ): Promise<CallAnswer> {
    if (!mayAccessProject(auth, request.projectId, 'write'))
      throw new HelixError(
        'ACCESS.NO_PROJECT_ACCESS',
        'Name a projectId that these credentials have access to.',
      );
    const requestHash = hashRequest(request);
    for (;;) {
      const draft = await this.#draft(auth, request, requestHash);
      if ('isReplay' in draft) return draft;
      const begun = await this.runner.begin(draft);
      if (begun.kind === 'begun') return this.#run(draft, begun, waitMs);
      const known = await this.calls.findByKey(auth.organizationId, request.idempotencyKey);
      // A commit whose answer was lost left our own row: it is new, and ours to run.
      if (known?.id === draft.id)
        return this.#run(draft, { createdAt: known.createdAt, startedAt: known.startedAt }, waitMs);
      if (known !== null) return replay(known, requestHash);
      if (begun.kind === 'refused') throw refusalOf(begun.by, draft);
      // The row went away between the two statements (its retention ended): the key is free again.
    }
  }

  /** @throws HelixError `CALL.UNKNOWN_CALL`, `ACCESS.NO_PROJECT_ACCESS` */
  async read(auth: AuthContext, id: string): Promise<ToolCall> {
    const call = await this.calls.find(auth.organizationId, id);
    if (call === null) throw new HelixError('CALL.UNKNOWN_CALL', 'No such tool or call in this workspace.');
    if (!mayAccessProject(auth, call.projectId))
      throw new HelixError(
        'ACCESS.NO_PROJECT_ACCESS',
        'The call belongs to a project these credentials have no access to.',
      );
    return call;
  }

  /**
   * What a call reserved, cost and moved.
   * @throws HelixError `CALL.UNKNOWN_CALL`, `ACCESS.NO_PROJECT_ACCESS`
   */
  async receipt(auth: AuthContext, id: string): Promise<Receipt> {
    const call = await this.read(auth, id);
    return { call, ...(await this.funding.traceOf(call.id)) };
  }

  /**
   * Newest first.
   * @throws HelixError `HTTP.INVALID_CURSOR`, `ACCESS.NO_PROJECT_ACCESS`, `CALL.UNKNOWN_PROJECT`
   */
  async list(
    auth: AuthContext,
    page: { readonly projectId: string | null; readonly limit: number; readonly cursor: string | undefined },
  ): Promise<{ items: ToolCallSummary[]; nextCursor: string | null }> {
    const { organizationId } = auth;
    if (page.projectId !== null) await this.planner.checkProject(auth, page.projectId);
    const projectIds = page.projectId === null ? auth.projectIds : [page.projectId];
    const identity = { list: 'tool-calls', filter: { organizationId, projectIds } };
    const after = page.cursor === undefined ? null : this.cursors.read(page.cursor, identity);
    const { calls, next } = await this.calls.list({ organizationId, projectIds }, after, page.limit);
    return { items: calls, nextCursor: next && this.cursors.write(next, identity) };
  }

  /** The row to write, or the answer where the call cannot be made and the key is known. */
  async #draft(
    auth: AuthContext,
    request: NewCallRequest,
    requestHash: Buffer,
  ): Promise<NewCall | CallAnswer> {
    try {
      const plan = await this.planner.plan(auth, request);
      return {
        id: `call_${this.ids.next()}`,
        organizationId: auth.organizationId,
        projectId: request.projectId,
        toolId: request.toolId,
        idempotencyKey: request.idempotencyKey,
        requestHash,
        requestHashVersion,
        inputJson: JSON.stringify(request.input),
        fundingRequested: request.funding,
        maxCostMicros: request.maxCostMicros,
        createdBy: { type: auth.identity.type, id: auth.identity.id },
        ...plan,
      };
    } catch (refusal) {
      // Only now: a call that can be made meets its key in the unique index, which costs no look-up.
      const known = await this.calls.findByKey(auth.organizationId, request.idempotencyKey);
      if (known === null) throw refusal;
      return replay(known, requestHash);
    }
  }

  async #run(
    draft: NewCall,
    begun: { readonly createdAt: Date; readonly startedAt: Date | null },
    waitMs: number,
  ): Promise<CallAnswer> {
    const progress: Progress = { startedAt: begun.startedAt, attempts: begun.startedAt === null ? 0 : 1 };
    const end = this.runner.run(
      { ...draft, mayRunAgain: draft.redispatch === 'safe', needsMark: begun.startedAt === null },
      progress,
    );
    const ended = await within(waitMs, end);
    if (ended?.kind === 'lost') {
      const stored = await this.calls.find(draft.organizationId, draft.id);
      if (stored !== null) return { call: stored, isReplay: false };
    }
    return { call: compose(draft, begun.createdAt, progress, ended), isReplay: false };
  }
}

function refusalOf(by: 'wallet' | 'cap', { reservedMicros }: NewCall): HelixError {
  const what = `The call reserves ${reservedMicros} USD micros, more than`;
  const why =
    by === 'cap'
      ? `${what} these credentials may still spend.`
      : `${what} the wallet of the workspace has free: top it up, or lower maxCostMicros.`;
  return new HelixError('CALL.INSUFFICIENT_HEADROOM', why);
}

/** The fingerprint is judged before anything else of the known call is told. */
function replay(known: StoredCall, requestHash: Buffer): CallAnswer {
  if (known.requestHashVersion !== requestHashVersion || !known.requestHash.equals(requestHash))
    throw new HelixError(
      'CALL.IDEMPOTENCY_MISMATCH',
      'This key already identifies a different request: send a new idempotencyKey for a new call.',
    );
  return { call: known, isReplay: true };
}

/** The call as the database has it by now, without reading it back. */
function compose(draft: NewCall, createdAt: Date, progress: Progress, end: RunEnd | null): ToolCall {
  const finished = end?.kind === 'finished' ? end : null;
  return {
    id: draft.id,
    organizationId: draft.organizationId,
    projectId: draft.projectId,
    toolId: draft.toolId,
    provider: draft.provider,
    idempotencyKey: draft.idempotencyKey,
    inputJson: draft.inputJson,
    status: finished?.finish.status ?? (progress.startedAt === null ? 'queued' : 'running'),
    resultJson: finished?.finish.resultJson ?? null,
    resultTruncated: finished?.finish.resultTruncated ?? false,
    error: finished?.finish.error ?? null,
    funding: { requested: draft.fundingRequested, source: draft.fundingSource },
    cost: {
      ...(finished?.cost ?? { ...noCostYet, status: draft.costStatus }),
      accountingService: draft.accountingService,
      currency: 'USD',
      reservedMicros: draft.reservedMicros,
    },
    createdBy: draft.createdBy,
    attempts: progress.attempts,
    createdAt,
    startedAt: progress.startedAt,
    completedAt: finished?.completedAt ?? null,
    updatedAt: finished?.completedAt ?? progress.startedAt ?? createdAt,
  };
}

const noCostYet = { actualMicros: null, chargedMicros: null, reference: null, settledAt: null };

/** What `work` gives within the time; null where it takes longer, and goes on. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
