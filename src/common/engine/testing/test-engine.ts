import { Component, type Consumer, type Endpoint } from '../api/component.js';
import type { Interceptor } from '../api/interceptor.js';
import type { SchemaValidator } from '../api/ports.js';
import type { Processor } from '../api/processor.js';
import type { StepType } from '../api/step-type.js';
import type { ExpressionLanguage } from '../api/expression.js';
import { engineChain } from '../interceptors/engine-chain.js';
import { StepCounters } from '../interceptors/step-counters.js';
import type { EndpointUri } from '../model/endpoint-uri.js';
import { Engine } from '../runtime/engine.js';
import { standardSteps } from '../steps/index.js';
import { ManualClock } from './manual-clock.js';
import { MemoryLog } from './memory-log.js';
import { ScriptLanguage } from './script-language.js';
import { workspaceOf, type WorkspaceInit } from './source.js';

/** `test://name`: sends to the processor of that name; a trigger that only waits for what the directory runs. */
export class TestComponent extends Component {
  readonly scheme = 'test';
  readonly description = 'Processors of a test, by name.';
  readonly options = {};
  readonly listening = new Set<string>();

  constructor(private readonly processors: Readonly<Record<string, Processor>> = {}) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const processor = this.processors[uri.path];
    const { listening } = this;
    const consumer: Consumer = {
      start: async () => void listening.add(uri.path),
      stop: async () => void listening.delete(uri.path),
    };
    return { uri, ...(processor ? { producer: () => processor } : {}), consumer: () => consumer };
  }
}

export interface TestEngineInit extends WorkspaceInit {
  readonly components?: readonly Component[];
  /** Targets `test://name`. */
  readonly processors?: Readonly<Record<string, Processor>>;
  readonly stepTypes?: readonly StepType[];
  readonly interceptors?: readonly Interceptor[];
  readonly validator?: SchemaValidator;
  readonly language?: ExpressionLanguage;
  /** For components that share the engine's clock. */
  readonly clock?: ManualClock;
}

export interface TestEngine {
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly log: MemoryLog;
  readonly counters: StepCounters;
}

/** An engine that is made but not started; its chain checks for mistakes. */
export function makeEngine(init: TestEngineInit = {}): TestEngine {
  const clock = init.clock ?? new ManualClock();
  const log = new MemoryLog();
  const counters = new StepCounters();
  let count = 0;
  const engine = new Engine({
    components: [new TestComponent(init.processors), ...(init.components ?? [])],
    steps: init.stepTypes ?? standardSteps(),
    interceptors: init.interceptors ?? engineChain({ log, meter: counters }),
    language: init.language ?? new ScriptLanguage(),
    clock,
    ids: { next: () => `id-${++count}` },
    log,
    ...(init.validator ? { validator: init.validator } : {}),
    development: true,
  });
  return { engine, clock, log, counters };
}

/** The same, started on the workspace that the rest of `init` says. */
export async function startEngine(init: TestEngineInit): Promise<TestEngine> {
  const made = makeEngine(init);
  await made.engine.start(workspaceOf(init));
  return made;
}
