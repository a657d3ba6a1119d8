import { afterEach, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../src/modules/access/index.js';
import type { AuthContext } from '../../src/modules/access/index.js';
import { readQueryFailure } from '../../src/common/platform/database/query-failures.js';
import { ContextBuilder } from '../../src/modules/access/context-builder.js';
import { SpendCaps } from '../../src/modules/funding/index.js';
import { ToolCallsService } from '../../src/modules/tool-calls/index.js';
import type { Outcome } from '../../src/modules/tools/tool-provider.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';
import { administer } from '../support/database-pool.js';
import { eventually } from '../rest/support/client.js';
import { checkBooks, type MoneyStory, startMoney } from './support/money-story.js';
import { paid, PaidProvider, unpaid } from './support/paid-provider.js';

/** Reproducible: the n-th call of a storm always meets the same fate. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const fates: ((random: number) => Outcome)[] = [
  (random) => paid(Math.floor(random * 50)),
  (random) => paid(60 + Math.floor(random * 50)),
  () => paid(null),
  () => paid(-1),
  () => unpaid('failed'),
  () => unpaid('failed', { state: 'settled', micros: 13 }),
  () => unpaid('not_sent'),
  () => unpaid('lost', { state: 'pending', micros: null }),
  () => ({ ...paid(null), cost: { state: 'not_metered', micros: null } }),
];

let database: TestDatabase;
const nodes: MoneyStory[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
  await database.drop();
});

/** Two nodes on one database over one upstream, with three workspaces: rich, poor, and one with a capped credential. */
async function startStorm(settings: readonly string[] = []) {
  database = await makeTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of settings) await administer(database.url, `ALTER DATABASE ${name} SET ${setting}`);
  const upstream = new PaidProvider();
  const random = randomOf(7);
  const fate = () => fates[Math.floor(random() * fates.length)]?.(random()) ?? paid(0);
  const tool = upstream.add('storm', {
    call: fate,
    cost: () =>
      random() < 0.5
        ? { state: 'settled', micros: Math.floor(random() * 90) }
        : { state: random() < 0.5 ? 'released' : 'pending', micros: null },
  });
  for (let node = 0; node < 2; node += 1) nodes.push(await startMoney({ database }, upstream));
  const [first] = nodes as [MoneyStory];
  const callers: AuthContext[] = [];
  for (const balance of [10_000_000, 3_000, 10_000_000]) {
    const owner = await first.owner();
    await first.topUp(owner, balance);
    const identity = await first.helix.app.nest.get(ApiKeysService).authenticate(owner.apiKey ?? '');
    if (identity === null) throw new Error('The key of the story is not good.');
    callers.push(await first.helix.app.nest.get(ContextBuilder).build(identity, undefined, null));
  }
  const capped = callers[2] as AuthContext;
  await first.helix.app.nest.get(SpendCaps).set(capped.organizationId, capped.identity.id, 20_000);
  const call = (nth: number, caller: AuthContext, key = `key ${nth}`) =>
    (nodes[nth % 2] as MoneyStory).helix.app.nest.get(ToolCallsService).call(
      caller,
      {
        toolId: tool,
        idempotencyKey: key,
        input: {},
        funding: 'auto',
        maxCostMicros: Math.floor(random() * 120),
        projectId: null,
      },
      60_000,
    );
  return { first, tool, upstream, callers, call, name };
}

const deadlocks = async (first: MoneyStory) =>
  Number(
    (
      await first.sql<{ deadlocks: string }>(
        `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
      )
    )[0]?.deadlocks,
  );

/** `count` calls, at most 300 at a time. @returns what became of each */
async function storm(
  count: number,
  make: (nth: number) => Promise<{ call: { id: string } }>,
): Promise<PromiseSettledResult<{ call: { id: string } }>[]> {
  const ends: PromiseSettledResult<{ call: { id: string } }>[] = [];
  let next = 0;
  const worker = async () => {
    for (let nth = next++; nth < count; nth = next++) {
      const [end] = await Promise.allSettled([make(nth)]);
      if (end) ends.push(end);
    }
  };
  await Promise.all(Array.from({ length: 300 }, worker));
  return ends;
}

const codeOf = (end: PromiseSettledResult<unknown>): string | undefined =>
  end.status === 'rejected'
    ? (readQueryFailure(end.reason) ?? (end.reason as { code?: string })).code
    : undefined;

describe('a storm of calls', () => {
  it('of every fate, with lost leases and cut connections, leaves books that are right', async () => {
    const { first, callers, call, name } = await startStorm();
    let done = 0;
    const ends = await storm(5_000, async (nth) => {
      const answer = await call(nth, callers[nth % 3] as AuthContext, `key ${nth - (nth % 5 === 0 ? 5 : 0)}`);
      done += 1;
      if (done % 1_000 === 500)
        await administer(
          database.url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
        );
      if (done % 200 === 0)
        await administer(
          database.url,
          `UPDATE tool_call SET lease_until = now() - interval '1 s' WHERE id IN (
             SELECT id FROM tool_call WHERE status IN ('queued', 'running') LIMIT 3)`,
        );
      return answer;
    });
    expect(ends.map(codeOf)).toEqual(expect.arrayContaining(['CALL.INSUFFICIENT_HEADROOM', undefined]));
    const other = ends.filter((end) => {
      const code = codeOf(end);
      return (
        end.status === 'rejected' &&
        ![
          'CALL.INSUFFICIENT_HEADROOM',
          'PLATFORM.DATABASE_UNAVAILABLE',
          'CALL.IDEMPOTENCY_MISMATCH',
        ].includes(code ?? '')
      );
    });
    expect(other.map((end) => (end as PromiseRejectedResult).reason as unknown)).toEqual([]);
    // Calls of commits whose answer was lost are nobody's until their lease runs out.
    const unfinished = async () => {
      await first.sql(`UPDATE tool_call SET lease_until = now() - interval '1 s'
        WHERE status IN ('queued', 'running') AND updated_at < now() - interval '3 s'`);
      return first.sql(`SELECT id, status FROM tool_call WHERE status IN ('queued', 'running')`);
    };
    await eventually(unfinished).toEqual([]);
    for (let turn = 0; turn < 5; turn += 1) await first.settleCosts();
    const acknowledged = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.call.id] : []));
    const [{ kept } = { kept: 0 }] = await first.sql<{ kept: string }>(
      'SELECT count(*) AS kept FROM tool_call WHERE id = ANY ($1)',
      [[...new Set(acknowledged)]],
    );
    expect(Number(kept)).toBe(new Set(acknowledged).size);
    await checkBooks(first.sql);
    const cap = await first.helix.app.nest
      .get(SpendCaps)
      .find(callers[2]?.organizationId ?? '', callers[2]?.identity.id ?? '');
    const [{ used } = { used: '0' }] = await first.sql<{ used: string }>(
      `SELECT sum(CASE state WHEN 'open' THEN amount_micros ELSE charged_micros END) AS used FROM hold
       WHERE organization_id = $1`,
      [callers[2]?.organizationId],
    );
    expect(cap?.usedMicros).toBe(Number(used));
    expect(await deadlocks(first)).toBe(0);
  }, 120_000);

  it.each([
    ['as the planner likes', []],
    ['under forced plans', ['enable_nestloop = off', 'enable_mergejoin = off']],
    ['under plans of absurd cost', ['enable_hashjoin = off', 'enable_sort = off']],
  ])(
    'never deadlocks over two nodes and three wallets: %s',
    async (_, settings) => {
      const { first, callers, call } = await startStorm(settings);
      const ends = await storm(900, (nth) => call(nth, callers[nth % 3] as AuthContext));
      expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(300);
      await first.settleCosts();
      await checkBooks(first.sql);
      expect(await deadlocks(first)).toBe(0);
      for (const node of nodes)
        expect(await (await fetch(`${node.helix.url}/metrics`)).text()).not.toMatch(
          /batch_fallbacks_total\{/,
        );
    },
    120_000,
  );

  it('does not let a large reservation that is refused starve the small ones beside it', async () => {
    const { first, callers, upstream } = await startStorm();
    const tool = upstream.add('sized', { call: () => paid(1) });
    const calls = first.helix.app.nest.get(ToolCallsService);
    const [rich] = callers as [AuthContext];
    const sizes = [50_000_000, 3, 50_000_000, 2, 9_000_000, 1];
    const ends = await Promise.allSettled(
      sizes.map((maxCostMicros, nth) =>
        calls.call(
          rich,
          {
            toolId: tool,
            idempotencyKey: `size ${nth}`,
            input: {},
            funding: 'auto',
            maxCostMicros,
            projectId: null,
          },
          60_000,
        ),
      ),
    );
    expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(sizes.map((size) => size < 50_000_000));
    await checkBooks(first.sql);
  });
});
