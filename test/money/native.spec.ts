import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HelixError } from '../../src/common/engine/errors/helix-error.js';
import { AppModule } from '../../src/app.module.js';
import { Client, eventually } from '../rest/support/client.js';
import { realClients } from '../mcp-server/support/clients.js';
import { freePort } from '../support/free-port.js';
import { type Call, checkBooks, type MoneyStory, startMoney } from './support/money-story.js';

const money = 1_000_000;

const pricing = (
  model: 'per_call' | 'per_success' | 'per_result' | 'unknown',
  micros: number | null = 10,
) => ({
  model,
  micros,
  estimateMicros: micros,
});
const fails = () => {
  throw new HelixError('ENGINE.THROWN', 'It failed.');
};

describe('a native tool with a price', () => {
  let story: MoneyStory;
  let ann: Client;
  beforeAll(async () => {
    story = await startMoney();
    ann = await story.owner();
    await story.topUp(ann, money);
  });
  afterAll(async () => {
    await checkBooks(story.sql);
    await story.close();
  });

  it('is metered by Helix itself: a fixed price for each call, success, or item of the result', async () => {
    story.bench.add('each-call', { pricing: pricing('per_call'), work: fails });
    story.bench.add('each-success', { pricing: pricing('per_success'), work: fails });
    story.bench.add('each-result', { pricing: pricing('per_result'), work: () => ['a', 'b', 'c'] });
    const costs = [];
    for (const tool of ['each-call', 'each-success', 'each-result']) {
      const { body } = await ann.call<Call>(tool, {});
      expect(body.funding.source).toBe('hlix');
      costs.push([body.status, body.cost.accountingService, body.cost.status, body.cost.chargedMicros]);
    }
    expect(costs).toEqual([
      ['failed', 'helix', 'settled', 10],
      ['failed', 'helix', 'settled', 0],
      ['succeeded', 'helix', 'settled', 30],
    ]);
  });

  it('of unknown price is not metered, and its actual cost is null', async () => {
    story.bench.add('unknown', { pricing: pricing('unknown', null), work: () => 'ok' });
    expect((await ann.call<Call>('unknown', {})).body.cost).toMatchObject({
      status: 'not_metered',
      reservedMicros: null,
      actualMicros: null,
    });
  });

  it('can be paid by the wallet alone', async () => {
    story.bench.add('wallet-only', { pricing: pricing('per_call'), work: () => 'ok' });
    const refused = await ann.call('wallet-only', {}, { funding: 'organization' });
    expect([refused.status, Client.code(refused)]).toEqual([409, 'connection_unavailable']);
  });

  it('that went away before it ran costs nothing', async () => {
    story.bench.add('gone', {
      pricing: pricing('per_call'),
      work: () => {
        throw new HelixError('TOOL.UNKNOWN_TOOL', 'There is no such tool.');
      },
    });
    expect((await ann.call<Call>('gone', {})).body).toMatchObject({
      status: 'failed',
      cost: { status: 'settled', chargedMicros: 0 },
    });
  });

  it('that was cut off by its time-out is paid for where each call is', async () => {
    const policy = { timeoutMs: 30 };
    story.bench.add('slow', {
      pricing: pricing('per_call'),
      policy,
      work: () => new Promise(() => undefined),
    });
    expect((await ann.call<Call>('slow', {})).body).toMatchObject({
      status: 'failed',
      error: { code: 'timed_out' },
      cost: { status: 'settled', chargedMicros: 10 },
    });
  });
});

describe('a route that tells its cost', () => {
  let folder: string;
  let story: MoneyStory;
  let ann: Client;
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helix-priced-'));
    port = await freePort();
    await writeFile(
      join(folder, 'priced.yaml'),
      `
tools:
  - id: by-length
    description: Tells how long a text is, for a micro a letter.
    input: { text: { type: string, required: true } }
    pricing: { model: per_call, estimate-micros: 20, note: One micro a letter. }
    steps:
      - set-header: { name: HelixCostMicros, starlang: 'sizeOf(args.text)' }
      - set-body: { starlang: 'sizeOf(args.text)' }
  - id: silent
    description: Is paid, and forgets to tell what it costs.
    pricing: { model: per_success, estimate-micros: 20 }
    steps:
      - set-body: { value: done }
workflows:
  - id: door
    from: http-server://127.0.0.1:${port}/cost
    steps:
      - set-body: { starlang: 'header("HelixCostMicros") default "dropped"' }
`,
    );
    story = await startMoney({ module: AppModule, env: { HELIX_WORKFLOWS: folder } });
    ann = await story.owner();
    await story.topUp(ann, money);
  });
  afterAll(async () => {
    await story.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is charged what it told, over REST', async () => {
    expect((await ann.get<{ pricing: object }>('/v1/api/tools/by-length')).body.pricing).toEqual({
      model: 'per_call',
      micros: null,
      estimateMicros: 20,
      note: 'One micro a letter.',
      accountingService: 'helix',
    });
    const { body } = await ann.call<Call>('by-length', { text: 'hello' });
    expect(body).toMatchObject({
      result: 5,
      cost: { status: 'settled', reservedMicros: 20, chargedMicros: 5 },
    });
  });

  it.each(realClients)(
    'and over MCP (%s): a key runs and pays once, and an empty wallet runs nothing',
    async (name, connect) => {
      const key = `mcp ${name}`;
      const before = (await story.wallet(ann)).balanceMicros;
      const bob = await story.owner();
      const open = (of: Client) =>
        connect(new URL(`${story.helix.url}/mcp`), { 'x-api-key': of.apiKey ?? '' });
      const [client, poor] = [await open(ann), await open(bob)];
      try {
        const meta = { 'io.helix/idempotencyKey': key };
        for (let turn = 0; turn < 2; turn += 1)
          expect(await client.call('by-length', { text: 'seven..' }, { meta })).toMatchObject({ text: '7' });
        expect((await story.wallet(ann)).balanceMicros).toBe(before - 7);
        const refused = { isError: true, text: expect.stringContaining('nothing was run') as string };
        expect(await poor.call('by-length', { text: 'x' })).toMatchObject(refused);
        const budget = { meta: { 'io.helix/maxCostMicros': 19 } };
        expect(await client.call('by-length', { text: 'x' }, budget)).toMatchObject(refused);
      } finally {
        await client.close();
        await poor.close();
      }
    },
  );

  it('and told nothing of a success: the cost is pending, and an alert is in the log', async () => {
    const { body } = await ann.call<Call>('silent', {});
    expect(body).toMatchObject({ status: 'succeeded', cost: { status: 'pending', actualMicros: null } });
    await eventually(async () => (await fetch(`${story.helix.url}/metrics`)).text()).toContain(
      'helix_call_costs_refused_total{provider="helix"}',
    );
  });

  it('is believed alone: the header is dropped where it comes from outside', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/cost`, { headers: { HelixCostMicros: '1' } });
    expect(await answer.text()).toContain('dropped');
    await checkBooks(story.sql);
  });
});
