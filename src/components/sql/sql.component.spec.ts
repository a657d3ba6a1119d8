import { describe, expect, it } from 'vitest';
import type { ExchangeInit } from '../../common/engine/model/exchange.js';
import { describeComponent } from '../../common/engine/testing/describe-component.js';
import { ManualClock, settled } from '../../common/engine/testing/manual-clock.js';
import { sourceOf, workspaceOf } from '../../common/engine/testing/source.js';
import { makeEngine } from '../../common/engine/testing/test-engine.js';
import type { SqlAnswer, SqlCaller, SqlConnection, SqlValue } from './sql-caller.js';
import { SqlComponent } from './sql.component.js';

interface Run {
  readonly connection: SqlConnection;
  readonly text: string;
  readonly values: readonly SqlValue[];
}

class MemoryCaller implements SqlCaller {
  readonly runs: Run[] = [];
  hangs = false;

  constructor(private readonly answer: SqlAnswer = { rows: [{ id: 1 }, { id: 2 }], count: 2 }) {}

  run(connection: SqlConnection, text: string, values: readonly SqlValue[], signal: AbortSignal) {
    this.runs.push({ connection, text, values });
    if (!this.hangs) return Promise.resolve(this.answer);
    return new Promise<SqlAnswer>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }

  async close(): Promise<void> {}
}

describeComponent(
  () => new SqlComponent(new MemoryCaller(), new ManualClock()),
  'sql://orders?query=select 1',
  'sql://orders?query=select :id&result=row&timeout=5s',
);

const connections = (entries: unknown) => new Map([['connections', [sourceOf(entries)]]]);
const orders = { orders: { url: 'postgres://db/orders' } };

async function run(
  parameters: Readonly<Record<string, unknown>>,
  message: Omit<ExchangeInit, 'id'> = {},
  caller = new MemoryCaller(),
) {
  const clock = new ManualClock();
  const { engine } = makeEngine({ clock, components: [new SqlComponent(caller, clock)] });
  const steps = [{ target: { uri: 'sql://orders', parameters } }];
  await engine.start({
    ...workspaceOf({ workflows: [{ id: 'w', from: 'test://w', steps }] }),
    sections: connections(orders),
  });
  const exchange = engine.exchange('w', message);
  const done = engine.run('w', exchange);
  return { exchange, done, clock, runs: caller.runs };
}

describe('sql://', () => {
  it('binds values of the message, whatever they hold', async () => {
    const evil = "x'; drop table orders; --";
    const { done, runs, exchange } = await run(
      { query: 'select * from o where a = :a and b = :b.c and h = :header.H and d = :payload' },
      { body: { a: evil, b: { c: null } }, headers: { h: 7 } },
    );
    await done;
    expect(exchange.failure).toBeNull();
    expect(runs).toEqual([
      {
        connection: { name: 'orders', url: 'postgres://db/orders', poolSize: 10 },
        text: 'select * from o where a = $1 and b = $2 and h = $3 and d = $4',
        values: [evil, null, 7, JSON.stringify({ a: evil, b: { c: null } })],
      },
    ]);
  });

  it.each([
    [
      [1, 2],
      [1, 2],
    ],
    [
      [[1], ['a', null]],
      [[1], ['a', null]],
    ],
    [[{ a: 1 }], '[{"a":1}]'],
    [{ a: [1] }, '{"a":[1]}'],
    [true, true],
    [Buffer.from([0]), Buffer.from([0])],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('binds %j as %j', async (value, bound) => {
    const { done, runs } = await run({ query: 'select :v' }, { body: { v: value } });
    await done;
    expect(runs[0]?.values).toEqual([bound]);
  });

  it('binds numbers beyond a double by their digits', async () => {
    const { done, runs } = await run({ query: 'select :v, :w' }, { body: { v: 10n ** 20n, w: { n: 10n } } });
    await done;
    expect(runs[0]?.values).toEqual(['100000000000000000000', '{"n":"10"}']);
  });

  it.each([
    [{ other: 1 }, 'v'],
    ['text', 'v'],
    [null, 'v'],
    [{}, 'toString'],
    [{ v: 1 }, 'header.v'],
  ])('of %j lacks :%s, and says so instead of binding NULL', async (body, name) => {
    const { done, runs, exchange } = await run({ query: `select :${name}` }, { body });
    await done;
    expect(exchange.failure).toMatchObject({ code: 'SQL.MISSING_VALUE', details: { name } });
    expect(runs).toEqual([]);
  });

  it.each([
    ['rows', [{ id: 1 }, { id: 2 }]],
    ['row', { id: 1 }],
    ['count', 2],
  ])('result=%s gives %j', async (result, body) => {
    const { done, exchange } = await run({ query: 'select 1', result });
    await done;
    expect(exchange.body).toEqual(body);
    expect(exchange.headers.get('HelixSqlRowCount')).toBe(2);
  });

  it('the first row of none is null', async () => {
    const caller = new MemoryCaller({ rows: [], count: 0 });
    const { done, exchange } = await run({ query: 'select 1', result: 'row' }, { body: 1 }, caller);
    await done;
    expect(exchange.body).toBeNull();
  });

  it('ends after its time-out and with its caller, and leaves no timer', async () => {
    const caller = new MemoryCaller();
    caller.hangs = true;
    const late = await run({ query: 'select 1', timeout: '2s' }, {}, caller);
    await late.clock.advance(2000);
    await late.done;
    expect(late.exchange.failure?.code).toBe('ENGINE.TIMED_OUT');
    expect(late.clock.pending).toBe(0);
    const client = new AbortController();
    const left = await run({ query: 'select 1' }, { signal: client.signal }, caller);
    await settled();
    client.abort();
    await left.done;
    expect(left.exchange.failure?.code).toBe('ENGINE.CANCELLED');
    expect(left.clock.pending).toBe(0);
  });

  it.each([
    [['x'], 'wrong-value'],
    [{ orders: 'postgres://x' }, 'wrong-value'],
    [{ orders: { pool: 1 } }, 'wrong-value'],
    [{ orders: { url: 'postgres://x', pol: 1 } }, 'unknown-key'],
    [{ orders: { url: 'postgres://x', 'pool-size': 0 } }, 'wrong-value'],
    [{ orders: { url: 'postgres://u:p@x/d' } }, 'written-secret'],
  ])('the connections %j are found wrong: %s', (entries, rule) => {
    const { engine } = makeEngine({ components: [new SqlComponent(new MemoryCaller(), new ManualClock())] });
    const problems = engine.check({ ...workspaceOf({}), sections: connections(entries) });
    expect(problems.map((problem) => problem.rule)).toEqual([rule]);
    expect(JSON.stringify(problems)).not.toContain('u:p@');
  });

  it('leaves connections to other things alone', () => {
    const { engine } = makeEngine({ components: [new SqlComponent(new MemoryCaller(), new ManualClock())] });
    const sections = connections({ kb: { url: 'https://kb.example', bearer: 'x' } });
    expect(engine.check({ ...workspaceOf({}), sections })).toEqual([]);
  });
});
