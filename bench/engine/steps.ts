import type { Processor } from '../../src/common/engine/api/processor.js';
import type { Interceptor } from '../../src/common/engine/api/interceptor.js';
import { Exchange } from '../../src/common/engine/model/exchange.js';
import { peer } from '../support/peers.js';
import { cpuSince, mustFail, race, type Contestant } from '../support/race.js';
import { worldOf } from './world.js';

const STEPS = 10;
const TURNS = 30_000;

type Compose = (
  middleware: readonly ((context: { body: number }, next: () => Promise<void>) => unknown)[],
) => (context: { body: number }) => Promise<void>;

const add: Processor = (exchange) => {
  exchange.body = (exchange.body as number) + 1;
};
const addLater: Processor = async (exchange) => add(exchange);

type Way = (exchange: Exchange) => void | Promise<void>;

/** The way through a workflow of ten equal steps. */
async function through(
  target: string,
  extra: object = {},
  interceptors?: readonly Interceptor[],
): Promise<Way> {
  const { engine } = await worldOf({
    processors: { add, later: addLater, wrong: (exchange) => void (exchange.body = -1) },
    ...(interceptors ? { interceptors } : {}),
    workflows: [
      { id: 'w', from: 'direct://w', steps: Array.from({ length: STEPS }, () => ({ target })), ...extra },
      { id: 'inner', from: 'direct://inner', steps: [{ target: 'test://add' }] },
    ],
  });
  return (exchange) => engine.run('w', exchange);
}

/** Nanoseconds of processor time per step, making the exchange included. */
async function cost(way: Way): Promise<number> {
  const from = process.cpuUsage();
  for (let turn = 0; turn < TURNS; turn++) {
    const exchange = new Exchange({ id: 'x', body: 0, createdAt: 0 });
    await way(exchange);
    if (exchange.body !== STEPS || exchange.failure !== null)
      throw new Error('wrong outcome', { cause: exchange.failure });
  }
  return (cpuSince(from) * 1000) / TURNS / STEPS;
}

/** What a step of a direct workflow costs beyond its own work. */
export async function steps(): Promise<void> {
  const compose = await peer<Compose>('koa-compose');
  const middleware = compose(
    Array.from({ length: STEPS }, () => (context: { body: number }, next: () => Promise<void>) => {
      context.body++;
      return next();
    }),
  );
  const ways: readonly (readonly [string, Way])[] = [
    [
      'bare calls of the same function',
      (exchange) => {
        for (let at = 0; at < STEPS; at++) void add(exchange);
      },
    ],
    [
      'bare await of the same asynchronous function',
      async (exchange) => {
        for (let at = 0; at < STEPS; at++) await addLater(exchange);
      },
    ],
    [
      'koa-compose, as many middlewares',
      async (exchange) => {
        const context = { body: 0 };
        await middleware(context);
        exchange.body = context.body;
      },
    ],
    ['workflow, interceptors off', await through('test://add', {}, [])],
    ['workflow', await through('test://add')],
    ['workflow, retries armed', await through('test://add', { 'error-handler': { retries: 3 } })],
    ['workflow with a time-out', await through('test://add', { timeoutMs: 60_000 })],
    ['workflow, asynchronous steps', await through('test://later')],
    ['workflow, asynchronous steps, interceptors off', await through('test://later', {}, [])],
    ['workflow, each step a direct:// call', await through('direct://inner')],
  ];
  const wrong = await through('test://wrong');
  await mustFail('a step that adds nothing', () => cost(wrong));
  const contestants = ways.map(([name, way]): Contestant => ({ name, measure: () => cost(way) }));
  await race('A step of a workflow', contestants, { rounds: 5, unit: 'ns CPU per step' });
}
