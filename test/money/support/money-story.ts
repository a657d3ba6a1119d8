import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { expect } from 'vitest';
import { CostSettler } from '../../../src/modules/tool-calls/cost-settler.js';
import { ToolProviders } from '../../../src/modules/tools/tool-providers.js';
import type { TestAppOptions } from '../../support/test-app.js';
import { type Client, type RestStory, startRest } from '../../rest/support/client.js';
import { PaidProvider } from './paid-provider.js';

export interface Wallet {
  readonly balanceMicros: number;
  readonly heldMicros: number;
  readonly headroomMicros: number;
}

export interface Call {
  readonly id: string;
  readonly status: string;
  readonly result: unknown;
  readonly attempts: number;
  readonly error: { readonly code: string } | null;
  readonly funding: { readonly requested: string; readonly source: string };
  readonly cost: {
    readonly status: string;
    readonly accountingService: string;
    readonly reservedMicros: number | null;
    readonly actualMicros: number | null;
    readonly chargedMicros: number | null;
    readonly reference: string | null;
    readonly settledAt: string | null;
  };
}

export type Sql = <Row = Record<string, unknown>>(text: string, parameters?: unknown[]) => Promise<Row[]>;

export interface MoneyStory extends RestStory {
  readonly upstream: PaidProvider;
  readonly sql: Sql;
  /** Pays into the wallet of the caller's workspace. */
  topUp(owner: Client, amountMicros: number): Promise<void>;
  wallet(of: Client): Promise<Wallet>;
  read(of: Client, id: string): Promise<Call>;
  /** Balance of a workspace's wallet, kinds and amounts of its ledger, oldest first. */
  ledger(of: Client): Promise<[string, number][]>;
  /** Asks for all pending costs now, without waiting for their turn. */
  settleCosts(): Promise<void>;
}

export async function startMoney(
  options: TestAppOptions = {},
  upstream = new PaidProvider(),
): Promise<MoneyStory> {
  const story = await startRest(options);
  const nest = story.helix.app.nest;
  nest.get(ToolProviders).fixed.push(upstream);
  const sql = <Row>(text: string, parameters: unknown[] = []) =>
    nest.get(DataSource).query<Row[]>(text, parameters);
  return {
    ...story,
    upstream,
    sql,
    async topUp(owner, amountMicros) {
      const body = { amountMicros, reason: 'story', idempotencyKey: randomUUID() };
      expect((await owner.send('POST', '/v1/api/wallet/top-ups', body)).status).toBe(201);
    },
    wallet: async (of) => (await of.get<Wallet>('/v1/api/wallet')).body,
    read: async (of, id) => (await of.get<Call>(`/v1/api/tool-calls/${id}`)).body,
    ledger: async (of) =>
      (
        await sql<{ kind: string; amount_micros: string }>(
          'SELECT kind, amount_micros FROM ledger_entry WHERE organization_id = $1 ORDER BY number',
          [of.organizationId],
        )
      ).map(({ kind, amount_micros }) => [kind, Number(amount_micros)]),
    async settleCosts() {
      await sql(
        `UPDATE tool_call SET cost_due = now() WHERE cost_status = 'pending' AND completed_at IS NOT NULL`,
      );
      await nest.get(CostSettler).sweep();
    },
  };
}

/** What must be true of the books of a quiet database, whatever happened before. */
export async function checkBooks(sql: Sql): Promise<void> {
  const wrong = await sql(
    `SELECT 'balance is not the sum of the ledger' AS fault, organization_id AS id FROM wallet
       WHERE balance_micros <> (SELECT coalesce(sum(amount_micros), 0) FROM ledger_entry
         WHERE ledger_entry.organization_id = wallet.organization_id)
     UNION ALL SELECT 'held is not the sum of the open holds', organization_id FROM wallet
       WHERE held_micros <> (SELECT coalesce(sum(amount_micros), 0) FROM hold
         WHERE hold.organization_id = wallet.organization_id AND state = 'open')
     UNION ALL SELECT 'entries are not numbered without a gap', organization_id FROM wallet
       WHERE entry_count <> (SELECT count(*) FROM ledger_entry WHERE ledger_entry.organization_id = wallet.organization_id)
         OR entry_count <> (SELECT coalesce(max(number), 0) FROM ledger_entry
           WHERE ledger_entry.organization_id = wallet.organization_id)
     UNION ALL SELECT 'running balance is wrong', entry.organization_id || ' ' || number FROM (
         SELECT *, sum(amount_micros) OVER (PARTITION BY organization_id ORDER BY number) AS running FROM ledger_entry)
       AS entry WHERE balance_micros <> running
     UNION ALL SELECT 'hold is open though the cost is settled', call_id FROM hold JOIN tool_call ON id = call_id
       WHERE state = 'open' AND cost_status NOT IN ('reserved', 'pending')
     UNION ALL SELECT 'call has ended and is still reserved', id FROM tool_call
       WHERE cost_status = 'reserved' AND completed_at IS NOT NULL
     UNION ALL SELECT 'call reserved and has no hold', id FROM tool_call LEFT JOIN hold ON call_id = id
       WHERE reserved_micros IS NOT NULL AND call_id IS NULL
     UNION ALL SELECT 'charge is not what the ledger says', call_id FROM hold JOIN tool_call ON id = call_id
       WHERE state <> 'open' AND (tool_call.charged_micros IS DISTINCT FROM hold.charged_micros
         OR hold.charged_micros <> (SELECT coalesce(-sum(amount_micros), 0) FROM ledger_entry
           WHERE ledger_entry.call_id = hold.call_id))`,
  );
  expect(wrong).toEqual([]);
}
