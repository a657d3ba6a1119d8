import { StarlangLanguage } from '../../src/common/dsl/starlang-language.js';
import type { Component } from '../../src/common/engine/api/component.js';
import type { ExpressionLanguage } from '../../src/common/engine/api/expression.js';
import type { Interceptor } from '../../src/common/engine/api/interceptor.js';
import type { Processor } from '../../src/common/engine/api/processor.js';
import { engineChain } from '../../src/common/engine/interceptors/engine-chain.js';
import { Engine } from '../../src/common/engine/runtime/engine.js';
import { standardSteps } from '../../src/common/engine/steps/index.js';
import { workspaceOf, type WorkspaceInit } from '../../src/common/engine/testing/source.js';
import { TestComponent } from '../../src/common/engine/testing/test-engine.js';
import { UuidV7 } from '../../src/common/platform/database/uuid-v7.js';
import { Metrics } from '../../src/common/platform/metrics/metrics.js';
import { DirectComponent } from '../../src/components/direct/index.js';
import { HttpServerComponent } from '../../src/components/http-server/http-server.component.js';
import { SedaComponent } from '../../src/components/seda/index.js';
import { StepMetrics } from '../../src/modules/workflow-engine/step-metrics.js';
import { systemClock } from '../../src/modules/workflow-engine/system-clock.js';

/** Silent, as the product's log is at its usual level for what the benchmarks do. */
const log = { write: (): void => undefined, isEnabled: (): boolean => false };

interface WorldInit extends WorkspaceInit {
  /** Targets `test://name`. */
  readonly processors?: Readonly<Record<string, Processor>>;
  /** Without it the chain of the product. */
  readonly interceptors?: readonly Interceptor[];
  readonly language?: ExpressionLanguage;
}

export interface World {
  readonly engine: Engine;
  /** Where the first workflow listens, where it listens on the network. */
  readonly address: string | null;
}

/** An engine of the product's own parts (clock, ids, metrics, chain, components), started on the workspace. */
export async function worldOf(init: WorldInit): Promise<World> {
  const ids = new UuidV7();
  const ports = { clock: systemClock, ids, log };
  const components: Component[] = [
    new TestComponent(init.processors),
    new DirectComponent(),
    new SedaComponent(ports),
    new HttpServerComponent(ports),
  ];
  const engine = new Engine({
    components,
    steps: standardSteps(),
    interceptors: init.interceptors ?? productChain(),
    language: init.language ?? new StarlangLanguage(),
    ...ports,
  });
  const { started } = await engine.start(workspaceOf(init));
  return { engine, address: started.find(({ address }) => address !== null)?.address ?? null };
}

export const productChain = (): readonly Interceptor[] =>
  engineChain({ log, meter: new StepMetrics(new Metrics()) });
