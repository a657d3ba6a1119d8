import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Batcher } from '../../../src/modules/tool-calls/batcher.js';
import {
  type BeginOutcome,
  CallJournal,
  type Finish,
  type Finished,
  type NewCall,
} from '../../../src/modules/tool-calls/call-journal.js';

/** Makes one durable call from its insert to its end; throws where anything but that comes of it. */
export type Contender = (organizationId: string) => Promise<void>;

const owner = 'bench';
const requestHash = Buffer.alloc(32);
const inputJson = JSON.stringify({ number: '4711', language: 'en' });
const resultJson = JSON.stringify({ state: 'shipped', carrier: 'snail', days: 3 });
/** What each paid call reserves, and what it costs. */
export const reservedMicros = 20;
export const chargedMicros = 7;

/** The floor: one INSERT and one UPDATE, each committed alone, without any money. */
export function naive(database: DataSource): Contender {
  return async (organizationId) => {
    const id = `call_${randomUUID()}`;
    await database.query(
      `INSERT INTO tool_call (id, organization_id, tool_id, provider, idempotency_key, request_hash,
         request_hash_version, input, funding_requested, funding_source, cost_status, accounting_service,
         created_by_type, created_by_id, redispatch, status, attempts, started_at, lease_owner, lease_until)
       VALUES ($1, $2, 'tool', 'helix', $1, $3, 1, $4, 'auto', 'none', 'not_metered', 'helix', 'apiKey', 'bench', 'safe',
         'running', 1, clock_timestamp(), $5, now() + interval '15 s')`,
      [id, organizationId, requestHash, inputJson, owner],
    );
    const [, changed] = await database.query<[unknown, number]>(
      `UPDATE tool_call SET status = 'succeeded', result = $2, completed_at = clock_timestamp(),
         updated_at = clock_timestamp(), lease_until = NULL
       WHERE id = $1 AND status = 'running' AND lease_owner = $3`,
      [id, resultJson, owner],
    );
    if (changed !== 1) throw new Error(`The naive call ${id} was not ended.`);
  };
}

/** The product's own way, as the call runner goes it, without the tool in between. */
export function journaled(database: DataSource, isPaid: boolean): Contender {
  const journal = new CallJournal(database);
  const begins = batcher<NewCall, BeginOutcome>((calls) => journal.begin(owner, calls));
  const finishes = batcher<Finish, Finished | null>((calls) => journal.finish(owner, calls));
  return async (organizationId) => {
    const call = newCall(organizationId, isPaid);
    const begun = await begins.add(call);
    if (begun.kind !== 'begun') throw new Error(`The call ${call.id} was not begun: ${begun.kind}.`);
    const finished = await finishes.add(finishOf(call, isPaid));
    const charged = isPaid ? chargedMicros : null;
    if (finished?.cost.chargedMicros !== charged)
      throw new Error(`The call ${call.id} was not charged ${charged}.`);
  };
}

function batcher<Item, Outcome>(flush: (items: readonly Item[]) => Promise<readonly Outcome[]>) {
  return new Batcher<Item, Outcome>({
    flush,
    isRepeatable: () => false,
    onFallback: (error) => {
      throw error;
    },
  });
}

function newCall(organizationId: string, isPaid: boolean): NewCall {
  const id = `call_${randomUUID()}`;
  return {
    id,
    organizationId,
    projectId: null,
    toolId: 'tool',
    provider: 'helix',
    idempotencyKey: id,
    requestHash,
    requestHashVersion: 1,
    inputJson,
    fundingRequested: 'auto',
    fundingSource: isPaid ? 'hlix' : 'none',
    maxCostMicros: null,
    costStatus: isPaid ? 'reserved' : 'not_metered',
    accountingService: 'helix',
    createdBy: { type: 'apiKey', id: 'bench' },
    redispatch: 'safe',
    reservedMicros: isPaid ? reservedMicros : null,
  };
}

function finishOf(call: NewCall, isPaid: boolean): Finish {
  return {
    id: call.id,
    status: 'succeeded',
    resultJson,
    resultTruncated: false,
    error: null,
    cost: isPaid ? { state: 'settled', micros: chargedMicros } : { state: 'not_metered', micros: null },
    reference: null,
    organizationId: call.organizationId,
    creatorId: call.createdBy.id,
    isPaid,
  };
}
