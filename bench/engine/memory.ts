import { Exchange } from '../../src/common/engine/model/exchange.js';
import { mustFail } from '../support/race.js';
import { worldOf } from './world.js';

const EXCHANGES = Number(process.env['BENCH_EXCHANGES'] ?? 1_000_000);
const READINGS = 10;
/** On their way at the same time: one that waits (a retry, the time-out's timer, a place in the queue) holds up no other. */
const AT_ONCE = 256;
/** Every so-manieth exchange fails once and is retried: two errors with their stacks cost more than all its other steps. */
const FAILING = 4;
/** A leak of one object header (16 bytes) per exchange is found; what V8 itself learns on the way is less. */
const MOST_BYTES_PER_EXCHANGE = 4;

/** The heap after a forced collection, in bytes; the collector is asked twice because the first run frees finalisers. */
async function heap(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('Start node with --expose-gc.');
  for (let turn = 0; turn < 2; turn++) {
    globalThis.gc();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
}

/** Runs `one` so many times, some at once; nothing is on its way when it resolves. */
async function many(count: number, one: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const runner = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
}

/** Heap gained per exchange, in bytes, between the first reading and the last. */
async function grown(total: number, one: (n: number) => Promise<void>): Promise<number> {
  // What is learnt once (compiled code, shapes, counters) is no leak.
  await many(total / READINGS, one);
  const readings = [await heap()];
  for (let reading = 0; reading < READINGS; reading++) {
    await many(total / READINGS, one);
    readings.push(await heap());
  }
  const [first = 0] = readings;
  const last = readings.at(-1) ?? 0;
  process.stdout.write(`${readings.map((bytes) => (bytes / 1e6).toFixed(2)).join('  ')} MB\n`);
  const perExchange = (last - first) / total;
  if (perExchange > MOST_BYTES_PER_EXCHANGE)
    throw new Error(`The heap grew by ${perExchange.toFixed(1)} bytes per exchange.`);
  return perExchange;
}

/**
 * The heap over a million exchanges, each through synchronous and asynchronous steps, a time-out, a split and a queue,
 * every fourth through a retried failure.
 */
export async function memory(): Promise<void> {
  let turns = 0;
  /** Those whose first attempt failed. */
  const failed = new Set<Exchange>();
  const { engine } = await worldOf({
    processors: {
      later: async (exchange) => void (exchange.body = [1, 2]),
      fail: (exchange) => {
        if (failed.delete(exchange) || ++turns % FAILING !== 0) return;
        failed.add(exchange);
        throw new Error('on purpose');
      },
    },
    workflows: [
      {
        id: 'in',
        from: 'direct://in',
        timeoutMs: 60_000,
        steps: [
          { target: 'test://later' },
          { split: { starlang: 'payload', steps: [{ 'set-body': { starlang: 'payload + 1' } }] } },
          { target: 'direct://flaky' },
          { target: 'seda://queue' },
        ],
      },
      {
        id: 'flaky',
        from: 'direct://flaky',
        'error-handler': { retries: 1, delay: 0 },
        steps: [{ target: 'test://fail' }],
      },
      { id: 'out', from: 'seda://queue', steps: [{ 'set-body': { starlang: 'sizeOf(payload)' } }] },
    ],
  });
  const one = async (): Promise<void> => {
    const exchange = new Exchange({ id: 'x', body: null });
    await engine.run('in', exchange);
    if (exchange.failure !== null || exchange.body !== 2)
      throw new Error(`wrong outcome ${JSON.stringify(exchange.body)}`, { cause: exchange.failure });
  };
  process.stdout.write('\nHeap after a forced collection, a leak of one small object per exchange:\n');
  const kept: object[] = [];
  await mustFail('a leak', () =>
    grown(EXCHANGES / 20, async (n) => {
      kept.push({ n });
      await one();
    }),
  );
  kept.length = 0;
  process.stdout.write(`The same after every ${EXCHANGES / READINGS} of ${EXCHANGES} exchanges:\n`);
  const perExchange = await grown(EXCHANGES, one);
  process.stdout.write(`${perExchange.toFixed(2)} bytes per exchange\n`);
  if (engine.inFlight().length > 0 || failed.size > 0) throw new Error('Exchanges are still on their way.');
  await engine.stop({ timeoutMs: 1000 });
}
