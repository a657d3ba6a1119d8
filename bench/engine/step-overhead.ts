/**
 * What one step of a workflow costs beyond its own work, side by side with a bare call of the same function.
 * Run: `npx rolldown bench/engine/step-overhead.ts --platform node --format esm -o out.mjs && node out.mjs`.
 * Counted is the processor's time, so that other programs of the machine do not show. Every way includes making the
 * exchange, once for its ten steps. Read the ratios.
 */
import { DirectComponent } from '../../src/components/direct/index.js';
import type { Processor } from '../../src/common/engine/api/processor.js';
import { engineChain } from '../../src/common/engine/interceptors/engine-chain.js';
import { StepCounters } from '../../src/common/engine/interceptors/step-counters.js';
import { Engine } from '../../src/common/engine/runtime/engine.js';
import { Exchange } from '../../src/common/engine/model/exchange.js';
import { standardSteps } from '../../src/common/engine/steps/index.js';
import { workspaceOf } from '../../src/common/engine/testing/source.js';
import { ScriptLanguage } from '../../src/common/engine/testing/script-language.js';
import { TestComponent } from '../../src/common/engine/testing/test-engine.js';

const STEPS = 10;
const TURNS = 50_000;
const ROUNDS = 5;

const add: Processor = (exchange) => {
  exchange.body = (exchange.body as number) + 1;
};
const addLater: Processor = async (exchange) => add(exchange);

let id = 0;
const log = { write: (): void => undefined, isEnabled: (): boolean => false };
const clock = { now: () => Date.now(), schedule: (): (() => void) => () => undefined };

async function engineOf(isChained: boolean, target: string, extra: object = {}): Promise<Engine> {
  const engine = new Engine({
    components: [new TestComponent({ add, later: addLater }), new DirectComponent()],
    steps: standardSteps(),
    interceptors: isChained ? engineChain({ log, meter: new StepCounters() }) : [],
    language: new ScriptLanguage(),
    clock,
    ids: { next: () => String(++id) },
    log,
  });
  const steps = Array.from({ length: STEPS }, () => ({ target }));
  await engine.start(
    workspaceOf({
      workflows: [
        { id: 'w', from: 'direct://w', steps, ...extra },
        { id: 'inner', from: 'direct://inner', steps: [{ target: 'test://add' }] },
      ],
    }),
  );
  return engine;
}

/** Nanoseconds of processor time per step. A wrong outcome ends the benchmark. */
async function measure(run: (exchange: Exchange) => void | Promise<void>): Promise<number> {
  const from = process.cpuUsage();
  for (let turn = 0; turn < TURNS; turn++) {
    const exchange = new Exchange({ id: 'x', body: 0, createdAt: 0 });
    await run(exchange);
    if (exchange.body !== STEPS || exchange.failure !== null)
      throw new Error('wrong outcome', { cause: exchange.failure });
  }
  const { user, system } = process.cpuUsage(from);
  return ((user + system) * 1000) / TURNS / STEPS;
}

const bare = await engineOf(false, 'test://add');
const full = await engineOf(true, 'test://add');
const later = await engineOf(true, 'test://later');
const nested = await engineOf(true, 'direct://inner');
const retrying = await engineOf(true, 'test://add', { 'error-handler': { retries: 3 } });
const through = (engine: Engine) => (exchange: Exchange) => engine.run('w', exchange);

const ways: Readonly<Record<string, (exchange: Exchange) => void | Promise<void>>> = {
  'bare calls': (exchange) => {
    for (let at = 0; at < STEPS; at++) void add(exchange);
  },
  'pipeline, no interceptors': through(bare),
  'pipeline, whole chain': through(full),
  'whole chain, retries armed': through(retrying),
  'whole chain, asynchronous step': through(later),
  'whole chain, each step a direct:// call': through(nested),
};

const figures = new Map<string, number[]>();
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const nanoseconds = await measure(way);
    // The first round warms up.
    if (round > 0) figures.set(name, [...(figures.get(name) ?? []), nanoseconds]);
  }
}
for (const [name, all] of figures) {
  const median = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  process.stdout.write(`${name.padEnd(42)} ${median.toFixed(0).padStart(6)} ns per step\n`);
}
