import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startRest, Client } from '../rest/support/client.js';
import { type Call, checkBooks, type MoneyStory, startMoney } from './support/money-story.js';
import { paid } from './support/paid-provider.js';

let story: MoneyStory;
let ann: Client;
beforeAll(async () => {
  story = await startMoney();
});
afterAll(() => story.close());
afterEach(() => checkBooks(story.sql));

interface Entry {
  readonly number: number;
  readonly kind: string;
  readonly amountMicros: number;
  readonly balanceMicros: number;
}
interface Movement {
  readonly entry: Entry & { readonly reason: string; readonly createdBy: { readonly type: string } };
  readonly wallet: { readonly balanceMicros: number };
}
interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

const move = (of: Client, path: 'top-ups' | 'adjustments', body: object) =>
  of.send<Movement>('POST', `/v1/api/wallet/${path}`, { reason: 'a story', idempotencyKey: 'k', ...body });

describe('the wallet', () => {
  it('is empty before the first top-up, and moves money once for a key', async () => {
    ann = await story.owner();
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: 0, heldMicros: 0, headroomMicros: 0 });
    const first = await move(ann, 'top-ups', { amountMicros: 500 });
    const again = await move(ann, 'top-ups', { amountMicros: 500 });
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      200,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({
      entry: {
        number: 1,
        kind: 'top_up',
        amountMicros: 500,
        balanceMicros: 500,
        createdBy: { type: 'apiKey' },
      },
      wallet: { balanceMicros: 500 },
    });
    for (const other of [{ amountMicros: 501 }, { amountMicros: 500, reason: 'another' }])
      expect(Client.code(await move(ann, 'top-ups', other))).toBe('idempotency_mismatch');
    expect(Client.code(await move(ann, 'adjustments', { amountMicros: 500 }))).toBe('idempotency_mismatch');
    const floods = await Promise.all(
      Array.from({ length: 20 }, () =>
        move(ann, 'adjustments', { amountMicros: -600, idempotencyKey: 'flood' }),
      ),
    );
    expect(floods.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: -100 });
  });

  it.each([
    ['top-ups', { amountMicros: 0 }],
    ['top-ups', { amountMicros: -1 }],
    ['top-ups', { amountMicros: 1.5 }],
    ['top-ups', { amountMicros: 1e15 + 1 }],
    ['top-ups', { amountMicros: '5' }],
    ['top-ups', { amountMicros: 5, reason: '' }],
    ['top-ups', { amountMicros: 5, idempotencyKey: '' }],
    ['top-ups', { amountMicros: 5, extra: true }],
    ['adjustments', { amountMicros: 0 }],
  ] as const)('refuses %s of %j', async (path, body) => {
    ann = await story.owner();
    expect((await move(ann, path, body)).status).toBe(400);
    expect(await story.ledger(ann)).toEqual([]);
  });

  it('is moved by owners alone, whose keys have the scope, and every movement is in the audit log', async () => {
    ann = await story.owner();
    const admin = await story.member(ann, 'admin');
    const limited = await story.key(ann, { scopes: ['calls:read'] });
    expect(Client.code(await move(admin, 'top-ups', { amountMicros: 5 }))).toBe('insufficient_role');
    expect(Client.code(await move(limited, 'top-ups', { amountMicros: 5 }))).toBe('insufficient_scope');
    expect((await limited.get('/v1/api/wallet')).status).toBe(200);
    expect((await move(ann, 'top-ups', { amountMicros: 5 })).status).toBe(201);
    const { items } = (await ann.get<Page<object>>('/v1/api/audit-log?action=wallet.topUp')).body;
    expect(items).toMatchObject([{ details: { amountMicros: 5, reason: 'a story' } }]);
  });

  it('is the operator’s alone where the deployment says so', async () => {
    const hosted = await startRest({ env: { HELIX_WALLET_ADMIN: 'operator' } });
    try {
      const refused = await move(await hosted.owner(), 'top-ups', { amountMicros: 5 });
      expect([refused.status, Client.code(refused)]).toEqual([403, 'operator_only']);
    } finally {
      await hosted.close();
    }
  });

  it('has a ledger that is only added to, and is read page by page', async () => {
    ann = await story.owner();
    for (let turn = 1; turn <= 5; turn += 1)
      await move(ann, 'top-ups', { amountMicros: turn, idempotencyKey: `t${turn}` });
    const page = async (cursor = '') =>
      (await ann.get<Page<Entry>>(`/v1/api/wallet/ledger?limit=2${cursor && `&cursor=${cursor}`}`)).body;
    const first = await page();
    expect(first.items.map(({ number, balanceMicros }) => [number, balanceMicros])).toEqual([
      [5, 15],
      [4, 10],
    ]);
    // What is added meanwhile moves nothing on the pages behind.
    await move(ann, 'top-ups', { amountMicros: 6, idempotencyKey: 't6' });
    const second = await page(first.nextCursor ?? '');
    const third = await page(second.nextCursor ?? '');
    expect([second, third].map(({ items }) => items.map(({ number }) => number))).toEqual([[3, 2], [1]]);
    expect(third.nextCursor).toBeNull();
    const bob = await story.owner();
    const foreign = await bob.get(`/v1/api/wallet/ledger?cursor=${first.nextCursor}`);
    expect([foreign.status, Client.code(foreign)]).toEqual([400, 'invalid_cursor']);
    for (const statement of ['UPDATE ledger_entry SET amount_micros = 0', 'DELETE FROM ledger_entry'])
      await expect(story.sql(statement)).rejects.toThrow('append-only');
  });
});

describe('a reservation and a receipt', () => {
  it('tell what a call holds as long as its cost is open, and then what it was charged', async () => {
    ann = await story.owner();
    await story.topUp(ann, 1_000);
    const tool = story.upstream.add('receipt', {
      call: () => paid(null, 'r-1'),
      cost: () => ({ state: 'settled', micros: 700 }),
    });
    const { id } = (await ann.call<Call>(tool, {}, { maxCostMicros: 600 })).body;
    const reservations = async () => (await ann.get<Page<object>>('/v1/api/reservations')).body.items;
    const receipt = async () => (await ann.get(`/v1/api/tool-calls/${id}/receipt`)).body;
    expect(await reservations()).toMatchObject([{ callId: id, amountMicros: 600, state: 'open' }]);
    expect(await receipt()).toMatchObject({
      call: {
        id,
        toolId: tool,
        funding: { source: 'hlix' },
        cost: { status: 'pending', actualMicros: null },
      },
      reservation: { state: 'open', amountMicros: 600, chargedMicros: null },
      entries: [],
      isFinal: false,
    });
    await story.settleCosts();
    expect(await reservations()).toEqual([]);
    expect(await receipt()).toMatchObject({
      call: { cost: { status: 'settled', actualMicros: 700, chargedMicros: 700, reference: 'r-1' } },
      reservation: { state: 'settled', chargedMicros: 700 },
      entries: [
        { number: 2, kind: 'settle', amountMicros: -600, balanceMicros: 400, callId: id },
        { number: 3, kind: 'overrun', amountMicros: -100, balanceMicros: 300, callId: id },
      ],
      isFinal: true,
    });
    const bob = await story.owner();
    expect((await bob.get(`/v1/api/tool-calls/${id}/receipt`)).status).toBe(404);
  });
});
