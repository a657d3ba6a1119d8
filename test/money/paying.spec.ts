import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../rest/support/client.js';
import { type Call, checkBooks, type MoneyStory, startMoney } from './support/money-story.js';
import { paid, unpaid } from './support/paid-provider.js';

let story: MoneyStory;
beforeAll(async () => {
  story = await startMoney();
});
afterAll(() => story.close());
afterEach(() => checkBooks(story.sql));

const money = 1_000_000;
async function richOwner(): Promise<Client> {
  const owner = await story.owner();
  await story.topUp(owner, money);
  return owner;
}

describe('a call that the wallet pays', () => {
  it('reserves its budget before it runs, and settles what it cost when it ends', async () => {
    const ann = await richOwner();
    const tool = story.upstream.add('settled', {
      call: async () => {
        expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money, heldMicros: 5_000 });
        return paid(1_200, 'receipt-1');
      },
    });
    const made = await ann.call<Call>(tool, {}, { maxCostMicros: 5_000 });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      status: 'succeeded',
      funding: { requested: 'auto', source: 'hlix' },
      cost: {
        status: 'settled',
        accountingService: 'paid',
        reservedMicros: 5_000,
        actualMicros: 1_200,
        chargedMicros: 1_200,
        reference: 'receipt-1',
        settledAt: expect.any(String),
      },
    });
    expect(await story.read(ann, made.body.id)).toEqual(made.body);
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money - 1_200, heldMicros: 0 });
    expect(await story.ledger(ann)).toEqual([
      ['top_up', money],
      ['settle', -1_200],
    ]);
  });

  it('reserves the estimate without a budget, and a default without either', async () => {
    const ann = await richOwner();
    const known = story.upstream.add('estimated', { estimateMicros: 700, call: () => paid(700) });
    const open = story.upstream.add('open', { call: () => paid(1) });
    expect((await ann.call<Call>(known, {})).body.cost).toMatchObject({ reservedMicros: 700 });
    expect((await ann.call<Call>(open, {})).body.cost).toMatchObject({ reservedMicros: 100_000 });
  });

  it('may cost more than it reserved: the excess is an entry of its own, and the balance may fall below zero', async () => {
    const ann = await story.owner();
    await story.topUp(ann, 1_000);
    const tool = story.upstream.add('overrun', { call: () => paid(2_500) });
    const { body } = await ann.call<Call>(tool, {}, { maxCostMicros: 1_000 });
    expect(body.cost).toMatchObject({ reservedMicros: 1_000, actualMicros: 2_500, chargedMicros: 2_500 });
    expect(await story.ledger(ann)).toEqual([
      ['top_up', 1_000],
      ['settle', -1_000],
      ['overrun', -1_500],
    ]);
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: -1_500, headroomMicros: -1_500 });
    const refused = await ann.call(tool, {}, { maxCostMicros: 0 });
    expect([refused.status, Client.code(refused)]).toEqual([402, 'insufficient_headroom']);
  });

  it('that fails before it left releases its hold; one that failed after may have cost something', async () => {
    const ann = await richOwner();
    const unsent = story.upstream.add('unsent', { call: () => unpaid('not_sent') });
    const failed = story.upstream.add('failed', {
      call: () => unpaid('failed', { state: 'settled', micros: 40 }),
    });
    expect((await ann.call<Call>(unsent, {})).body).toMatchObject({
      status: 'failed',
      cost: { status: 'settled', actualMicros: 0, chargedMicros: 0 },
    });
    expect((await ann.call<Call>(failed, {})).body).toMatchObject({
      status: 'failed',
      cost: { status: 'settled', chargedMicros: 40 },
    });
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money - 40, heldMicros: 0 });
  });

  it('that its upstream did not meter is not charged, and its actual cost is not zero but none', async () => {
    const ann = await richOwner();
    const tool = story.upstream.add('unmetered', {
      call: () => ({ ...paid(null), cost: { state: 'not_metered', micros: null } }),
    });
    expect((await ann.call<Call>(tool, {})).body.cost).toMatchObject({
      status: 'not_metered',
      actualMicros: null,
      chargedMicros: 0,
    });
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money, heldMicros: 0 });
  });
});

describe('headroom', () => {
  it('refuses what it does not cover with 402, stores nothing, and leaves the key free', async () => {
    const ann = await story.owner();
    const tool = story.upstream.add('dear', { call: () => paid(10) });
    const idempotencyKey = 'the key';
    const refused = await ann.call(tool, {}, { idempotencyKey, maxCostMicros: 10 });
    expect([refused.status, Client.code(refused)]).toEqual([402, 'insufficient_headroom']);
    expect(
      await story.sql('SELECT id FROM tool_call WHERE organization_id = $1', [ann.organizationId]),
    ).toEqual([]);
    expect(story.upstream.callsOf(tool)).toBe(0);
    await story.topUp(ann, 10);
    // Another request under the same key: nothing is known of the one that was refused.
    expect((await ann.call(tool, { other: true }, { idempotencyKey, maxCostMicros: 10 })).status).toBe(201);
  });

  it('is asked for even by a budget of 0, where the tool is not known to be free', async () => {
    const ann = await story.owner();
    const tool = story.upstream.add('zero-budget', { call: () => paid(3) });
    expect((await ann.call(tool, {}, { maxCostMicros: 0 })).status).toBe(402);
    await story.topUp(ann, 1);
    const made = await ann.call<Call>(tool, {}, { maxCostMicros: 0 });
    expect(made.body.cost).toMatchObject({ reservedMicros: 0, chargedMicros: 3 });
    expect(await story.ledger(ann)).toEqual([
      ['top_up', 1],
      ['overrun', -3],
    ]);
  });

  it('hostile 34: spends the last cent once: of two tabs one gets 201, the other 402 and no row', async () => {
    const ann = await story.owner();
    await story.topUp(ann, 100);
    const tool = story.upstream.add('last-cent', { call: () => paid(100) });
    const tabs = await Promise.all(
      ['one', 'two'].map((tab) => ann.call<Call>(tool, { tab }, { maxCostMicros: 100 })),
    );
    expect(tabs.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 402]);
    const rows = await story.sql('SELECT id FROM tool_call WHERE organization_id = $1', [ann.organizationId]);
    expect(rows).toEqual([{ id: tabs.find(({ status }) => status === 201)?.body.id }]);
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: 0, heldMicros: 0 });
  });

  it('is not needed for a replay: the known call is answered whatever the wallet says by now', async () => {
    const ann = await story.owner();
    await story.topUp(ann, 100);
    const tool = story.upstream.add('replayed', { call: () => paid(100) });
    const more = { idempotencyKey: 'k', maxCostMicros: 100 };
    const first = await ann.call<Call>(tool, {}, more);
    const again = await ann.call<Call>(tool, {}, more);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(Client.code(await ann.call(tool, { changed: true }, more))).toBe('idempotency_mismatch');
    for (const change of [{ funding: 'hlix' }, { maxCostMicros: 99 }])
      expect(Client.code(await ann.call(tool, {}, { ...more, ...change }))).toBe('idempotency_mismatch');
  });

  it('hostile 31: runs and pays once for 200 equal calls that come at once', async () => {
    const ann = await richOwner();
    const tool = story.upstream.add('flood', { call: () => paid(9) });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        ann.call<Call>(tool, {}, { idempotencyKey: 'flood', maxCostMicros: 9 }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([199, 201]);
    expect(story.upstream.callsOf(tool)).toBe(1);
    expect(await story.ledger(ann)).toEqual([
      ['top_up', money],
      ['settle', -9],
    ]);
  });

  it('refuses a budget below the published estimate, which would only be found out after it was spent', async () => {
    const ann = await richOwner();
    const tool = story.upstream.add('above', { estimateMicros: 50, call: () => paid(50) });
    expect(Client.code(await ann.call(tool, {}, { maxCostMicros: 49 }))).toBe('insufficient_headroom');
    expect((await ann.call(tool, {}, { maxCostMicros: 50 })).status).toBe(201);
  });
});

const tool = () => story.upstream.add('choice', { call: () => paid(5) });

describe('the choice of who pays', () => {
  it('is the connection of the workspace where there is one, else the wallet, and is frozen on the call', async () => {
    const ann = await richOwner();
    const id = tool();
    const first = await ann.call<Call>(id, {}, { idempotencyKey: 'frozen' });
    expect(first.body.funding).toEqual({ requested: 'auto', source: 'hlix' });
    story.upstream.connected.add(ann.organizationId);
    const own = await ann.call<Call>(id, {});
    expect(own.body).toMatchObject({
      funding: { source: 'organization' },
      cost: { status: 'settled', reservedMicros: null, actualMicros: 5, chargedMicros: null },
    });
    expect(story.upstream.calls.slice(-2).map(({ token }) => token)).toEqual(['hlix', ann.organizationId]);
    expect((await ann.call<Call>(id, {}, { idempotencyKey: 'frozen' })).body).toEqual(first.body);
  });

  it('asks for no wallet where the connection pays, and for none where the tool is free', async () => {
    const bob = await story.owner();
    story.upstream.connected.add(bob.organizationId);
    expect((await bob.call(tool(), {}, { funding: 'organization' })).status).toBe(201);
    story.bench.add('free', { work: () => 'gratis' });
    expect((await bob.call<Call>('free', {}, { funding: 'hlix', maxCostMicros: 0 })).body).toMatchObject({
      funding: { requested: 'hlix', source: 'none' },
      cost: { status: 'not_metered', actualMicros: null, chargedMicros: null },
    });
  });

  it('answers 409 where the source that was named, or every one, is unavailable', async () => {
    const ann = await richOwner();
    const named = await ann.call(tool(), {}, { funding: 'organization' });
    expect([named.status, Client.code(named)]).toEqual([409, 'connection_unavailable']);
    story.upstream.connected.delete('hlix');
    try {
      for (const funding of ['auto', 'hlix'])
        expect((await ann.call(tool(), {}, { funding })).status).toBe(409);
    } finally {
      story.upstream.connected.add('hlix');
    }
  });

  it('is told by the descriptor as it is now: connection, wallet, and what would change it', async () => {
    const ann = await story.owner();
    const id = story.upstream.add('ready', { estimateMicros: 100, call: () => paid(100) });
    const funding = async () =>
      (
        await ann.get<{
          funding: Record<string, { ready: boolean; reason: string | null; source?: string }>;
        }>(`/v1/api/tools/${id}`)
      ).body.funding;
    expect(await funding()).toMatchObject({
      auto: { ready: false, source: 'hlix', reason: expect.stringContaining('0 USD micros free') },
      hlix: { ready: false },
      organization: { ready: false, reason: expect.stringContaining('no connection') },
    });
    await story.topUp(ann, 100);
    expect(await funding()).toMatchObject({ auto: { ready: true, source: 'hlix', reason: null } });
    story.upstream.connected.add(ann.organizationId);
    expect(await funding()).toMatchObject({
      auto: { ready: true, source: 'organization' },
      organization: { ready: true, reason: null },
    });
  });
});
