import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CostJournal } from '../../src/modules/tool-calls/cost-journal.js';
import { startTestApp, makeTestDatabase, type TestDatabase } from '../support/test-app.js';
import { type Client, eventually } from '../rest/support/client.js';
import { gate, restOver } from '../rest/support/workbench.js';
import { type Call, checkBooks, type MoneyStory, startMoney } from './support/money-story.js';
import { paid, unpaid } from './support/paid-provider.js';

const money = 1_000_000;
let database: TestDatabase;
let story: MoneyStory;
let ann: Client;

beforeAll(async () => {
  database = await makeTestDatabase();
  story = await startMoney({ database });
});
afterAll(async () => {
  await story.close();
  await database.drop();
});
afterEach(() => checkBooks(story.sql));

async function richOwner(): Promise<Client> {
  const owner = await story.owner();
  await story.topUp(owner, money);
  return owner;
}
const books = (of: Client) => Promise.all([story.wallet(of), story.ledger(of)]);
const metric = async (name: string) =>
  (await (await fetch(`${story.helix.url}/metrics`)).text()).includes(name);

describe('a cost that is not known when the call ends', () => {
  it('keeps the hold, and is settled when the accounting service knows, however often it is asked', async () => {
    ann = await richOwner();
    let known: number | null = null;
    const tool = story.upstream.add('late', {
      call: () => paid(null, 'receipt-7'),
      cost: () => ({ state: known === null ? 'pending' : 'settled', micros: known }),
    });
    const { body } = await ann.call<Call>(tool, {}, { maxCostMicros: 500 });
    expect(body).toMatchObject({
      status: 'succeeded',
      cost: { status: 'pending', actualMicros: null, chargedMicros: null, reference: 'receipt-7' },
    });
    await story.settleCosts();
    expect((await story.read(ann, body.id)).cost.status).toBe('pending');
    expect(story.upstream.questions.at(-1)).toMatchObject({ callId: body.id, reference: 'receipt-7' });
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money, heldMicros: 500 });
    known = 1_200;
    await story.settleCosts();
    await story.settleCosts();
    expect((await story.read(ann, body.id)).cost).toMatchObject({
      status: 'settled',
      actualMicros: 1_200,
      chargedMicros: 1_200,
    });
    expect(await story.ledger(ann)).toEqual([
      ['top_up', money],
      ['settle', -500],
      ['overrun', -700],
    ]);
  });

  it('is nothing where the upstream let go of what it held', async () => {
    ann = await richOwner();
    const tool = story.upstream.add('released', {
      call: () => paid(null),
      cost: () => ({ state: 'released', micros: null }),
    });
    const { body } = await ann.call<Call>(tool, {});
    await story.settleCosts();
    expect((await story.read(ann, body.id)).cost).toMatchObject({
      status: 'settled',
      actualMicros: 0,
      chargedMicros: 0,
    });
    expect(await books(ann)).toMatchObject([{ balanceMicros: money, heldMicros: 0 }, [['top_up', money]]]);
  });

  it('is given up after the deadline: the reservation is taken, and the actual cost stays unknown, not zero', async () => {
    ann = await richOwner();
    const tool = story.upstream.add('never', { call: () => paid(null) });
    const { body } = await ann.call<Call>(tool, {}, { maxCostMicros: 300 });
    await story.sql(`UPDATE tool_call SET completed_at = completed_at - interval '24 h 1 s' WHERE id = $1`, [
      body.id,
    ]);
    await story.settleCosts();
    expect((await story.read(ann, body.id)).cost).toMatchObject({
      status: 'unknown',
      actualMicros: null,
      chargedMicros: 300,
    });
    expect(await story.ledger(ann)).toEqual([
      ['top_up', money],
      ['capture', -300],
    ]);
    expect(await metric('helix_call_costs_given_up_total{provider="paid"}')).toBe(true);
  });

  it('is asked for on the account of the connection that paid, and charges no wallet', async () => {
    ann = await story.owner();
    story.upstream.connected.add(ann.organizationId);
    const tool = story.upstream.add('own-late', {
      call: () => paid(null),
      cost: () => ({ state: 'settled', micros: 77 }),
    });
    const { body } = await ann.call<Call>(tool, {});
    expect(body.cost).toMatchObject({ status: 'pending', reservedMicros: null });
    await story.settleCosts();
    expect((await story.read(ann, body.id)).cost).toMatchObject({
      status: 'settled',
      actualMicros: 77,
      chargedMicros: null,
    });
    expect(await story.ledger(ann)).toEqual([]);
  });
});

describe('a cost that cannot be', () => {
  const nonsense = [-1, 0.5, Number.NaN, Infinity, 1e15 + 2, 2 ** 63, null];

  it.each(nonsense)('%s is not charged but left pending, and an alert is raised', async (micros) => {
    ann = await richOwner();
    let later: number | null = micros;
    const tool = story.upstream.add(`odd-${micros}`, {
      call: () => ({ ...paid(null), cost: { state: 'settled', micros } }),
      cost: () => ({ state: 'settled', micros: later }),
    });
    const { body } = await ann.call<Call>(tool, {});
    expect(body.cost).toMatchObject({ status: 'pending', actualMicros: null, chargedMicros: null });
    await story.settleCosts();
    expect((await story.read(ann, body.id)).cost.status).toBe('pending');
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money });
    expect(await metric('helix_call_costs_refused_total{provider="paid"}')).toBe(true);
    later = 5;
    await story.settleCosts();
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money - 5, heldMicros: 0 });
  });
});

describe('settling the same call twice', () => {
  it('hostile 42: by two nodes at once, with two opinions, moves money once', async () => {
    ann = await richOwner();
    const tool = story.upstream.add('twice', { call: () => paid(null) });
    const { body } = await ann.call<Call>(tool, {}, { maxCostMicros: 100 });
    const journal = story.helix.app.nest.get(CostJournal);
    const settlement = {
      callId: body.id,
      organizationId: ann.organizationId,
      creatorId: '',
      reference: null,
    };
    const answers = await Promise.all(
      [
        { state: 'settled', micros: 10 } as const,
        { state: 'captured', micros: null } as const,
        { state: 'not_metered', micros: null } as const,
        { state: 'settled', micros: 10 } as const,
      ].map((verdict) => journal.settle([{ ...settlement, verdict }])),
    );
    const [winner, ...others] = answers.flat().filter((answer) => answer !== null);
    expect(others).toEqual([]);
    const { cost } = await story.read(ann, body.id);
    expect(cost).toMatchObject({ status: winner?.status, chargedMicros: winner?.chargedMicros });
    expect((await story.ledger(ann)).length).toBeLessThanOrEqual(2);
  });
});

describe('a connection that is removed', () => {
  it('before the tool was reached ends the call as failed, and nothing is to be paid', async () => {
    ann = await story.owner();
    const { upstream } = story;
    upstream.connected.add(ann.organizationId);
    const tool = upstream.add('removed', { call: () => paid(1) });
    upstream.onConnect = () => upstream.connected.delete(ann.organizationId);
    const { body } = await ann.call<Call>(tool, {});
    upstream.onConnect = undefined;
    expect(body).toMatchObject({ status: 'failed', error: { code: 'connection_removed' } });
    expect(upstream.callsOf(tool)).toBe(0);
  });

  it('of the operator, likewise: the hold is released', async () => {
    ann = await richOwner();
    const { upstream } = story;
    const tool = upstream.add('removed-platform', { call: () => paid(1) });
    upstream.onConnect = (source) => source === 'hlix' && upstream.connected.delete('hlix');
    const { body } = await ann.call<Call>(tool, {});
    upstream.onConnect = undefined;
    upstream.connected.add('hlix');
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: 'connection_removed' },
      cost: { status: 'settled', actualMicros: 0, chargedMicros: 0 },
    });
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money, heldMicros: 0 });
  });

  it('hostile 44: while the tool runs changes nothing: the call ends and is settled as ever', async () => {
    ann = await story.owner();
    const { upstream } = story;
    upstream.connected.add(ann.organizationId);
    const tool = upstream.add('removed-midway', {
      call: () => {
        upstream.connected.delete(ann.organizationId);
        return paid(8);
      },
    });
    expect((await ann.call<Call>(tool, {})).body).toMatchObject({
      status: 'succeeded',
      cost: { status: 'settled', actualMicros: 8, chargedMicros: null },
    });
  });
});

const loseLease = (id: string) =>
  story.sql(`UPDATE tool_call SET lease_until = now() - interval '1 s' WHERE id = $1`, [id]);

describe('a node that is lost', () => {
  it('after it settled with its upstream but before it wrote the end: what it knows of the cost is charged, once', async () => {
    ann = await richOwner();
    const held = gate();
    const tool = story.upstream.add('zombie', {
      call: async () => {
        await held.opened;
        return paid(60, 'receipt-z');
      },
    });
    const { id } = (await ann.call<Call>(tool, {}, { maxCostMicros: 100 }, { prefer: 'wait=0' })).body;
    await eventually(() => story.upstream.callsOf(tool)).toBe(1);
    const other = await startTestApp({ module: restOver(story.bench), database });
    try {
      await loseLease(id);
      await eventually(async () => (await story.read(ann, id)).status).toBe('unknown');
      expect((await story.read(ann, id)).cost.status).toBe('pending');
      held.open();
      const late = async () =>
        (
          await story.sql<{ late_outcome: string | null }>(
            'SELECT late_outcome FROM tool_call WHERE id = $1',
            [id],
          )
        )[0]?.late_outcome;
      await eventually(late).toContain('receipt-z');
      await story.settleCosts();
      expect(await story.read(ann, id)).toMatchObject({
        status: 'unknown',
        result: null,
        cost: { status: 'settled', actualMicros: 60, chargedMicros: 60, reference: 'receipt-z' },
      });
      expect(await story.ledger(ann)).toEqual([
        ['top_up', money],
        ['settle', -60],
      ]);
      expect(story.upstream.callsOf(tool)).toBe(1);
    } finally {
      await other.close();
    }
  });

  it('hostile 40: between the commit and the dispatch: the call is run by another, and its one hold is settled once', async () => {
    ann = await richOwner();
    const tool = story.upstream.add('orphan', { call: () => paid(30) });
    const held = gate();
    const blocker = story.upstream.add('template', {
      call: async () => {
        await held.opened;
        return paid(0);
      },
    });
    const { id } = (await ann.call<Call>(blocker, {}, { maxCostMicros: 90 }, { prefer: 'wait=0' })).body;
    await eventually(() => story.upstream.callsOf(blocker)).toBe(1);
    // As a node leaves it that is killed right after it stored the call.
    await story.sql(
      `UPDATE tool_call SET tool_id = $2, status = 'queued', attempts = 0, dispatched_at = NULL, started_at = NULL,
         lease_owner = 'a node that is gone' WHERE id = $1`,
      [id, tool],
    );
    held.open();
    await eventually(() => story.helix.logged()).toContain('ended after its lease was lost');
    await loseLease(id);
    await eventually(async () => (await story.read(ann, id)).status).toBe('succeeded');
    expect(await story.read(ann, id)).toMatchObject({
      attempts: 1,
      cost: { status: 'settled', chargedMicros: 30 },
    });
    expect(await story.ledger(ann)).toEqual([
      ['top_up', money],
      ['settle', -30],
    ]);
  });

  it('with a call whose outcome nobody knows: its cost is pending, and its hold stays until it is cleared up', async () => {
    ann = await richOwner();
    const tool = story.upstream.add('lost', {
      call: () => unpaid('lost', { state: 'pending', micros: null }),
    });
    expect((await ann.call<Call>(tool, {}, { maxCostMicros: 100 })).body).toMatchObject({
      status: 'unknown',
      cost: { status: 'pending' },
    });
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: money, heldMicros: 100 });
  });
});
