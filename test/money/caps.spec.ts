import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SpendCaps } from '../../src/modules/funding/index.js';
import { Client } from '../rest/support/client.js';
import { type Call, checkBooks, type MoneyStory, startMoney } from './support/money-story.js';
import { paid } from './support/paid-provider.js';

let story: MoneyStory;
beforeAll(async () => {
  story = await startMoney();
});
afterAll(() => story.close());
afterEach(() => checkBooks(story.sql));

const idOf = (client: Client) => client.apiKey?.split('_')[2] ?? '';

describe('the cap of a credential', () => {
  it('limits what its calls reserve and are charged, in a wallet that has more', async () => {
    const ann = await story.owner();
    await story.topUp(ann, 10_000);
    const task = await story.key(ann, { name: 'task' });
    const caps = story.helix.app.nest.get(SpendCaps);
    await caps.set(ann.organizationId, idOf(task), 100);
    const tool = story.upstream.add('capped', { call: () => paid(40) });
    expect((await task.call<Call>(tool, {}, { maxCostMicros: 100 })).body.cost.chargedMicros).toBe(40);
    const refused = await task.call<{ error: string }>(tool, {}, { maxCostMicros: 61 });
    expect([refused.status, Client.code(refused)]).toEqual([402, 'insufficient_headroom']);
    expect(refused.body.error).toContain('these credentials');
    expect((await task.call(tool, {}, { maxCostMicros: 60 })).status).toBe(201);
    expect(await caps.find(ann.organizationId, idOf(task))).toMatchObject({
      limitMicros: 100,
      usedMicros: 80,
    });
    // Other credentials of the workspace are limited by the wallet alone.
    expect((await ann.call(tool, {}, { maxCostMicros: 9_000 })).status).toBe(201);
  });

  it('of a task credential made over REST is spent to its end, then answers 402', async () => {
    const ann = await story.owner();
    await story.topUp(ann, 10_000);
    const { id: projectId } = (await ann.send<{ id: string }>('POST', '/v1/api/projects', { name: 'one' }))
      .body;
    const tool = story.upstream.add('task-capped', { call: () => paid(40) });
    const made = await ann.send<{ id: string; apiKey: string }>('POST', '/v1/api/task-credentials', {
      name: 'a task',
      operations: ['callTool'],
      projectId,
      maxSpendMicros: 100,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const task = ann.with(made.body.apiKey);
    const spend = (maxCostMicros: number) => task.call<Call>(tool, {}, { projectId, maxCostMicros });
    expect((await spend(40)).body.cost.chargedMicros).toBe(40);
    expect((await spend(60)).body.cost.chargedMicros).toBe(40);
    const refused = await spend(21);
    expect([refused.status, Client.code(refused)]).toEqual([402, 'insufficient_headroom']);
    expect((await spend(20)).status).toBe(201);
    const listed = await ann.get<{ items: object[] }>('/v1/api/task-credentials');
    expect(listed.body.items).toMatchObject([{ id: made.body.id, maxSpendMicros: 100, spentMicros: 120 }]);
    expect((await spend(1)).status).toBe(402);
    expect((await story.wallet(ann)).balanceMicros).toBe(9_880);
  });

  it('holds when many calls come at once, and ends at its limit exactly', async () => {
    const ann = await story.owner();
    await story.topUp(ann, 10_000);
    const task = await story.key(ann, { name: 'task' });
    await story.helix.app.nest.get(SpendCaps).set(ann.organizationId, idOf(task), 100);
    const tool = story.upstream.add('capped-flood', { call: () => paid(10) });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => task.call(tool, {}, { maxCostMicros: 10 })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(20);
    expect(await story.wallet(ann)).toMatchObject({ balanceMicros: 9_900, heldMicros: 0 });
  });

  it('of an unpaid call does not matter: nothing is spent', async () => {
    const ann = await story.owner();
    await story.helix.app.nest.get(SpendCaps).set(ann.organizationId, idOf(ann), 0);
    story.bench.add('gratis', { work: () => 'free' });
    expect((await ann.call('gratis', {})).status).toBe(201);
  });
});
