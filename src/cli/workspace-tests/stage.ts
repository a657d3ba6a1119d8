import { catalogue } from '../catalogue.js';
import { deadLetter, type TestDefinition } from '../../common/dsl/index.js';
import { StarlangLanguage } from '../../common/dsl/starlang-language.js';
import type { Component } from '../../common/engine/api/component.js';
import type { IdSource } from '../../common/engine/api/ports.js';
import { engineChain } from '../../common/engine/interceptors/engine-chain.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { WorkspaceDefinition } from '../../common/engine/model/workflow-definition.js';
import { Engine } from '../../common/engine/runtime/engine.js';
import type { JsonSchemaValidator } from '../../common/platform/schema/json-schema-validator.js';
import type { Resource } from '../../common/starlang/index.js';
import { CronComponent } from '../../components/cron/index.js';
import { DeadLetterComponent } from '../../components/dead-letter/index.js';
import { DirectComponent } from '../../components/direct/index.js';
import { HttpServerComponent } from '../../components/http-server/http-server.component.js';
import { LogComponent } from '../../components/log/index.js';
import { MockComponent } from '../../components/mock/index.js';
import { SedaComponent } from '../../components/seda/index.js';
import { TimerComponent } from '../../components/timer/index.js';
import { ToolComponent } from '../../components/tool/index.js';
import { CoverageInterceptor, type Coverage } from './coverage.js';
import { MemoryNetwork } from './memory-network.js';
import { addressOf, RecordedCalls } from './recorded-calls.js';
import { RecordedLog } from './recorded-log.js';
import { countedUuids, seededRandom } from './seeded-chance.js';
import { StagedComponent, type Staging } from './staged-component.js';
import { StandIns } from './stand-ins.js';
import { VirtualClock } from './virtual-clock.js';

/** What all tests of one run share. */
export interface StageParts {
  readonly validator: JsonSchemaValidator;
  readonly coverage: Coverage;
  readonly readResource: (url: string) => Resource;
  /** The components that reach outside, with their means, for targets that a test allows. */
  readonly outward: (ids: IdSource, clock: VirtualClock, log: RecordedLog) => readonly Component[];
  /** How long one test may take on the machine's clock. */
  readonly realTimeoutMs: number;
}

const selfStarting = new Set(['timer', 'cron']);

/** One test's engine: real components and steps, on a virtual clock, with nothing opened to the outside. */
export class Stage {
  readonly clock: VirtualClock;
  readonly log: RecordedLog;
  readonly network = new MemoryNetwork();
  readonly calls: RecordedCalls;
  readonly language: StarlangLanguage;
  readonly engine: Engine;
  /** Outside addresses that were reached although nothing stands in for them. */
  readonly refused = new Set<string>();
  /** The first exchange that came to each workflow. */
  readonly exchanges = new Map<string, Exchange>();

  constructor(
    test: TestDefinition,
    workspace: WorkspaceDefinition,
    isSubject: (uri: EndpointUri) => boolean,
    parts: StageParts,
  ) {
    const { validator, coverage, readResource } = parts;
    const clock = new VirtualClock(test.startMs, performance.now() + parts.realTimeoutMs);
    const log = new RecordedLog();
    const random = seededRandom();
    const ids: IdSource = { next: countedUuids(7) };
    const now = (): Date => new Date(clock.now());
    const language = new StarlangLanguage({ now, random, uuid: countedUuids(4), readResource });
    this.clock = clock;
    this.log = log;
    this.language = language;
    this.calls = new RecordedCalls(() => clock.now(), gravesOf(workspace));
    const staging: Staging = {
      standIns: new StandIns(test, clock, language),
      calls: this.calls,
      clock,
      refused: this.refused,
      starts: (uri) => !selfStarting.has(uri.scheme) || (test.runForMs !== null && isSubject(uri)),
    };
    const inner = [
      new CronComponent(clock, log),
      // A letter stands among the calls of the test: nothing else is to be kept of it.
      new DeadLetterComponent({ keep: () => Promise.resolve() }, log),
      new DirectComponent(),
      new HttpServerComponent({ clock, ids, log, listen: this.network.listen }),
      new LogComponent(log, clock),
      new MockComponent(clock),
      new SedaComponent({ clock, ids, log }),
      new TimerComponent(clock),
      new ToolComponent(language, validator),
    ];
    const open = test.allow.length > 0 ? parts.outward(ids, clock, log) : [];
    const { components, steps } = catalogue({ language, validator });
    this.engine = new Engine({
      components: components.map((component) => {
        const real = ofScheme(inner, component.scheme);
        if (real) return new StagedComponent(real, 'inner', staging);
        const opened = ofScheme(open, component.scheme);
        return new StagedComponent(opened ?? component, opened ? 'open' : 'closed', staging);
      }),
      steps,
      interceptors: [
        new CoverageInterceptor((exchange, step) => {
          clock.stir();
          coverage.stepRun(step);
          if (!this.exchanges.has(step.workflowId)) this.exchanges.set(step.workflowId, exchange);
        }),
        ...engineChain({ log, meter: { attempted: () => clock.stir() } }),
      ],
      language,
      validator,
      clock,
      ids,
      log,
      random,
      witness: coverage,
    });
  }
}

function gravesOf(workspace: WorkspaceDefinition): ReadonlySet<string> {
  const targets = [workspace, ...workspace.workflows].flatMap(
    ({ errorHandler }) => deadLetter(errorHandler) ?? [],
  );
  return new Set(targets.map(({ uri, parameters }) => addressOf(EndpointUri.parse(uri, parameters))));
}

function ofScheme(list: readonly Component[], scheme: string): Component | undefined {
  return list.find((each) => each.scheme === scheme);
}
