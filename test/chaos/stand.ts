import type { Processor } from '../../src/common/engine/api/processor.js';
import type { Clock } from '../../src/common/engine/api/ports.js';
import { engineChain } from '../../src/common/engine/interceptors/engine-chain.js';
import { StepCounters } from '../../src/common/engine/interceptors/step-counters.js';
import { Engine } from '../../src/common/engine/runtime/engine.js';
import { standardSteps } from '../../src/common/engine/steps/index.js';
import { MemoryLog } from '../../src/common/engine/testing/memory-log.js';
import { ScriptLanguage } from '../../src/common/engine/testing/script-language.js';
import { workspaceOf, type WorkflowInit } from '../../src/common/engine/testing/source.js';
import { TestComponent } from '../../src/common/engine/testing/test-engine.js';
import { DirectComponent } from '../../src/components/direct/index.js';
import { HttpServerComponent } from '../../src/components/http-server/http-server.component.js';
import { SedaComponent } from '../../src/components/seda/index.js';
import { systemClock } from '../../src/modules/workflow-engine/system-clock.js';
import { turns, type Dice } from './dice.js';
import type { Ledger } from './ledger.js';

/** The machine's clock, which knows how many of its tasks still wait. */
class CountingClock implements Clock {
  pending = 0;

  now(): number {
    return systemClock.now();
  }

  schedule(ms: number, task: () => void): () => void {
    this.pending++;
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.pending--;
      isOver = true;
    };
    const cancel = systemClock.schedule(ms, () => {
      end();
      task();
    });
    return () => {
      end();
      cancel();
    };
  }
}

/** A step to which anything may happen. */
function maybe(dice: Dice): Processor {
  const ways: Record<string, Processor> = {
    done: () => undefined,
    later: () => turns(1 + dice.below(3)),
    throws: () => {
      throw new Error('on purpose');
    },
    rejects: async () => {
      await turns(1);
      throw new Error('on purpose, later');
    },
    'never ends': () => new Promise<never>(() => undefined),
    'ends with the signal': ({ signal }) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
  };
  const weights = { done: 50, later: 25, throws: 8, rejects: 8, 'never ends': 2, 'ends with the signal': 2 };
  return (exchange) => ways[dice.pick(weights)]?.(exchange);
}

const target = (uri: string): object => ({ target: uri });

const marked = (name: string, version: number): object => ({
  'set-property': { name, starlang: String(version) },
});

/** Each version says at both ends of a workflow, and where one calls another, which one it is. */
function workflows(port: number, version: number): readonly WorkflowInit[] {
  const front = `http-server://127.0.0.1:${port}`;
  const spread = { multicast: { to: ['test://maybe', 'direct://inner'], parallel: 2 } };
  const parts = { split: { starlang: '[1, 2, 3]', steps: [target('test://maybe')], parallel: 2 } };
  return [
    {
      id: 'front',
      from: `${front}/front?timeout=150`,
      steps: [
        marked('first', version),
        target('test://maybe'),
        spread,
        marked('last', version),
        target('test://same'),
      ],
    },
    {
      id: 'flow',
      from: 'direct://flow',
      timeoutMs: 150,
      steps: [
        marked('first', version),
        parts,
        target('seda://work?timeout=100'),
        marked('last', version),
        target('test://same'),
      ],
    },
    {
      id: 'inner',
      from: 'direct://inner',
      // Longer than the play: a timer that is not taken back is found.
      timeoutMs: 600_000,
      'error-handler': { retries: 2, delay: 1 },
      steps: [marked('last', version), target('test://same'), target('test://maybe')],
    },
    { id: 'hand-in', from: 'direct://hand-in', steps: [target('seda://letters')] },
    {
      id: 'wait-and-hand-in',
      from: 'direct://wait-and-hand-in',
      steps: [target('seda://letters?block-when-full=true&timeout=50')],
    },
    {
      id: 'work',
      from: 'seda://work?size=8&concurrent-consumers=4',
      timeoutMs: 100,
      steps: [target('test://maybe')],
    },
    {
      id: 'letters',
      from: 'seda://letters?size=8&concurrent-consumers=2',
      timeoutMs: 100,
      steps: [marked('first', version), target('test://note'), target('test://maybe')],
    },
    // Keeps the listener when "front" is restarted.
    { id: 'still', from: `${front}/still`, steps: [] },
  ];
}

/** An engine of real parts on a real port, in which anything may go wrong. */
export async function chaosEngine(dice: Dice, ledger: Ledger, port: number) {
  const clock = new CountingClock();
  const log = new MemoryLog();
  let last = 0;
  const ports = { clock, log, ids: { next: (): string => `id-${++last}` } };
  const note: Processor = ({ body }) => void ledger.worked.push(body as number);
  const same: Processor = (exchange) => {
    if (exchange.property('first') !== exchange.property('last')) ledger.mixed++;
  };
  const engine = new Engine({
    components: [
      new TestComponent({ maybe: maybe(dice), note, same }),
      new DirectComponent(),
      new SedaComponent(ports),
      new HttpServerComponent(ports),
    ],
    steps: standardSteps(),
    interceptors: [ledger, ...engineChain({ log, meter: new StepCounters() })],
    language: new ScriptLanguage(),
    development: true,
    ...ports,
  });
  const version = (number: number) => workspaceOf({ workflows: workflows(port, number) });
  await engine.start(version(1));
  return { engine, clock, log, version };
}
