import type { Route } from '../../src/common/engine/api/component.js';
import type { Processor } from '../../src/common/engine/api/processor.js';
import { EndpointUri } from '../../src/common/engine/model/endpoint-uri.js';
import { Exchange } from '../../src/common/engine/model/exchange.js';
import { UuidV7 } from '../../src/common/platform/database/uuid-v7.js';
import { SedaComponent } from '../../src/components/seda/index.js';
import { systemClock } from '../../src/modules/workflow-engine/system-clock.js';
import { peer } from '../support/peers.js';
import { cpuSince, mustFail, race, type Contestant } from '../support/race.js';
import { worldOf } from './world.js';

const MESSAGES = 100_000;
const QUEUE = 1000;

interface Fastq {
  promise<T>(worker: (task: T) => Promise<void>, concurrency: number): { push(task: T): Promise<void> };
  <T>(
    worker: (task: T, done: (error: null) => void) => void,
    concurrency: number,
  ): { push(task: T, done: () => void): void };
}

interface Order {
  readonly id: number;
  readonly lines: readonly number[];
}

const order = (id: number): Order => ({ id, lines: [1, 2, 3] });

/** Adds up what arrives: a message that is lost, doubled or shared shows in the sum. */
class Till {
  sum = 0;
  count = 0;
  #full: (() => void) | null = null;

  take(id: number): void {
    this.sum += id;
    if (++this.count === MESSAGES) this.#full?.();
  }

  /** Resolves when all have arrived. */
  async filled(): Promise<void> {
    if (this.count < MESSAGES)
      await new Promise<void>((resolve) => {
        this.#full = resolve;
      });
  }

  check(): void {
    if (this.count !== MESSAGES || this.sum !== (MESSAGES * (MESSAGES - 1)) / 2)
      throw new Error(`${this.count} messages of ${MESSAGES} arrived, with the sum ${this.sum}`);
  }
}

/** Sends messages through a workflow into `seda://` and counts them where they arrive. */
async function handOver(
  pattern: Exchange['pattern'],
  target: string,
  spoil: (id: number) => number = (id) => id,
): Promise<() => Promise<number>> {
  let till = new Till();
  const count: Processor = (exchange) => till.take(spoil((exchange.body as Order).id));
  const { engine } = await worldOf({
    processors: { count },
    workflows: [
      { id: 'in', from: 'direct://in', steps: [{ target }] },
      { id: 'out', from: `seda://queue?size=${QUEUE}`, steps: [{ target: 'test://count' }] },
    ],
  });
  return async () => {
    till = new Till();
    const from = process.cpuUsage();
    let next = 0;
    const sender = async (): Promise<void> => {
      while (next < MESSAGES) {
        const exchange = engine.exchange('in', { pattern, body: order(next++) });
        await engine.run('in', exchange);
        if (exchange.failure !== null) throw exchange.failure;
      }
    };
    await Promise.all(Array.from({ length: pattern === 'InOut' ? 64 : 1 }, sender));
    await till.filled();
    till.check();
    return cpuSince(from) / MESSAGES;
  };
}

/**
 * From the sending end of `seda://` to the reading end and no further: the copy, its id, the bounded queue and the turn on
 * which it is begun. What a queue by itself is to be compared with; no workflow stands on either side.
 */
async function fromEndToEnd(): Promise<() => Promise<number>> {
  let till = new Till();
  const { engine } = await worldOf({ workflows: [{ id: 'out', from: 'direct://out', steps: [] }] });
  const workflow = engine.get('out');
  if (workflow === undefined) throw new Error('The engine has lost its workflow.');
  const take = (exchange: Exchange): void => till.take((exchange.body as Order).id);
  const route: Route = {
    workflow,
    directory: engine,
    exchange: (init) => engine.exchange('out', init),
    serves: () => true,
    coexistsWith: () => false,
    violations: () => [],
    pass: take,
    run: async (exchange) => take(exchange),
  };
  const log = { write: (): void => undefined };
  const component = new SedaComponent({ clock: systemClock, ids: new UuidV7(), log });
  const end = (uri: string): ReturnType<SedaComponent['endpoint']> =>
    component.endpoint(EndpointUri.parse(uri));
  await end(`seda://queue?size=${QUEUE}`).consumer?.(route).start();
  const produce = end('seda://queue?block-when-full=true').producer?.();
  return async () => {
    till = new Till();
    const from = process.cpuUsage();
    const exchange = new Exchange({ id: 'x', pattern: 'InOnly' });
    for (let id = 0; id < MESSAGES; id++) {
      exchange.body = order(id);
      const pending = produce?.(exchange);
      if (pending !== undefined) await pending;
    }
    await till.filled();
    till.check();
    return cpuSince(from) / MESSAGES;
  };
}

/** The least that a copy on a later turn costs. */
async function bare(): Promise<number> {
  const till = new Till();
  const from = process.cpuUsage();
  for (let id = 0; id < MESSAGES; id++) {
    const copy = structuredClone(order(id));
    setImmediate(() => till.take(copy.id));
    if (id % QUEUE === 0) await new Promise(setImmediate);
  }
  await till.filled();
  till.check();
  return cpuSince(from) / MESSAGES;
}

/** What a message through a bounded queue costs, its copy included. */
export async function seda(): Promise<void> {
  const fastq = await peer<Fastq>('fastq');
  const viaFastq = async (): Promise<number> => {
    const till = new Till();
    const queue = fastq<Order>((task, done) => {
      till.take(task.id);
      done(null);
    }, 1);
    const from = process.cpuUsage();
    for (let id = 0; id < MESSAGES; id++) queue.push(structuredClone(order(id)), () => undefined);
    await till.filled();
    till.check();
    return cpuSince(from) / MESSAGES;
  };
  const viaPromises = async (): Promise<number> => {
    const till = new Till();
    const queue = fastq.promise<Order>(async (task) => till.take(task.id), 1);
    const from = process.cpuUsage();
    let next = 0;
    const sender = async (): Promise<void> => {
      while (next < MESSAGES) await queue.push(structuredClone(order(next++)));
    };
    await Promise.all(Array.from({ length: 64 }, sender));
    till.check();
    return cpuSince(from) / MESSAGES;
  };
  await mustFail(
    'a message that arrives as another',
    await handOver('InOnly', 'seda://queue?block-when-full=true', (id) => (id === 7 ? 8 : id)),
  );
  const contestants: readonly Contestant[] = [
    { name: 'structuredClone and setImmediate', measure: bare },
    { name: 'fastq, structuredClone', measure: viaFastq },
    { name: 'fastq.promise, 64 wait', measure: viaPromises },
    { name: 'seda, from end to end', measure: await fromEndToEnd() },
    {
      name: 'seda, from one workflow to another',
      measure: await handOver('InOnly', 'seda://queue?block-when-full=true'),
    },
    { name: 'seda, 64 workflows wait for the reply', measure: await handOver('InOut', 'seda://queue') },
  ];
  const results = await race('A message through a queue', contestants, {
    rounds: 5,
    unit: 'µs CPU per message',
  });
  for (const { name, median } of results)
    process.stdout.write(
      `${name.padEnd(44)} ${Math.round(1e6 / median).toLocaleString('en')} messages per second of CPU\n`,
    );
}
