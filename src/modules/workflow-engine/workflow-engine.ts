import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { EngineClient } from '../../common/engine/api/engine-client.js';
import type { Interceptor } from '../../common/engine/api/interceptor.js';
import type { WorkflowDirectory, WorkflowInfo } from '../../common/engine/api/workflow-directory.js';
import { engineChain } from '../../common/engine/interceptors/engine-chain.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Exchange, ExchangeInit } from '../../common/engine/model/exchange.js';
import type { WorkspaceDefinition } from '../../common/engine/model/workflow-definition.js';
import { Engine } from '../../common/engine/runtime/engine.js';
import type {
  ReloadReport,
  StartReport,
  StopReport,
  WorkflowStatus,
} from '../../common/engine/runtime/engine-options.js';
import { linesOf, refuseErrors } from '../../common/engine/runtime/problems.js';
import { standardSteps } from '../../common/engine/steps/index.js';
import { UuidV7 } from '../../common/platform/database/uuid-v7.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { AppRole } from '../../common/platform/platform.module.js';
import { JsonSchemaValidator } from '../../common/platform/schema/json-schema-validator.js';
import { StarlangLanguage } from '../../common/dsl/starlang-language.js';
import { EngineExplorer } from './engine-explorer.js';
import { StepMetrics } from './step-metrics.js';
import { systemClock } from './system-clock.js';
import { type LoadedWorkspace, type WorkspaceGauge, WorkspaceSource } from './workspace-source.js';

/** How long exchanges may run on when the app stops. */
const DRAIN_MS = 30_000;

type Init = Omit<ExchangeInit, 'id' | 'createdAt'>;

/**
 * The app's engine. It is made when all modules have brought their parts, starts when the app is ready and drains before
 * it shuts down; until then it can be injected and held, but not used.
 */
@Injectable()
export class WorkflowEngine
  implements EngineClient, WorkflowDirectory, OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  #engine: Engine | null = null;
  #chain: readonly Interceptor[] = [];
  #workspace: WorkspaceDefinition | null = null;
  #report: StartReport = { started: [], disabled: [], warnings: [] };
  readonly #early = new Set<() => void>();

  constructor(
    private readonly explorer: EngineExplorer,
    private readonly source: WorkspaceSource,
    private readonly language: StarlangLanguage,
    private readonly validator: JsonSchemaValidator,
    private readonly meter: StepMetrics,
    private readonly ids: UuidV7,
    private readonly log: HelixLog,
    private readonly role: AppRole,
  ) {}

  /** @throws HelixError `ENGINE.INTERNAL` before all modules are there */
  get engine(): Engine {
    if (this.#engine) return this.#engine;
    throw new HelixError(
      'ENGINE.INTERNAL',
      'The engine is used before the modules have brought their parts.',
    );
  }

  /** What stands around every step, outermost first; the HTTP edge mirrors it. */
  get chain(): readonly Interceptor[] {
    return this.#chain;
  }

  /** What listens since the last start. */
  get report(): StartReport {
    return this.#report;
  }

  onModuleInit(): void {
    const { components, steps, interceptors } = this.explorer.explore();
    const links = engineChain({ log: this.log, meter: this.meter });
    // The time-out stands innermost: whatever a module adds is not waited for either.
    this.#chain = [...links.slice(0, -1), ...interceptors, ...links.slice(-1)];
    this.#engine = new Engine({
      components,
      steps: [...standardSteps(), ...steps],
      interceptors: this.#chain,
      language: this.language,
      validator: this.validator,
      clock: systemClock,
      ids: this.ids,
      log: this.log,
    });
    for (const listener of this.#early) this.#engine.onChange(listener);
  }

  /** @throws HelixError `WORKSPACE.INVALID` with every problem of the workspace in one report */
  async onApplicationBootstrap(): Promise<void> {
    const { definition, problems } = await this.#load();
    if (this.role.name === 'visit') {
      for (const component of this.engine.components.all())
        component.adopt?.(definition, { number: 1, oldest: 1 });
      this.#workspace = definition;
      return;
    }
    refuseErrors(problems);
    for (const { severity, message, rule, place } of problems) {
      this.log.write(severity === 'info' ? 'debug' : 'warn', message, {
        rule,
        file: place.file,
        line: place.line,
        column: place.column,
      });
    }
    this.#report = await this.engine.start(definition);
    this.#workspace = definition;
    for (const { workflowId, from, address } of this.#report.started) {
      this.log.write('info', `workflow ${workflowId} listens on ${address ?? from}`, {
        workflow: workflowId,
      });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    const report: StopReport = (await this.#engine?.stop({ timeoutMs: DRAIN_MS })) ?? { stuck: [] };
    if (report.stuck.length > 0)
      this.log.write('warn', `${report.stuck.length} exchanges were aborted at the stop`);
  }

  /** Number of the version of the workspace that counts now; 0 before the start. */
  get version(): number {
    return this.#engine?.version ?? 0;
  }

  /** What runs, as it was written; null before the start. */
  get workspace(): WorkspaceDefinition | null {
    return this.#workspace;
  }

  /** The components and steps a workspace may use here, those that modules brought included. */
  get vocabulary(): Pick<WorkspaceGauge, 'components' | 'steps'> {
    const { components, steps } = this.engine;
    return { components: components.all(), steps: steps.types };
  }

  /** Whether everything that was started listens, and no stop has begun. */
  get isRunning(): boolean {
    return this.#engine?.isRunning ?? false;
  }

  /**
   * Loads the workspace again and takes it over, see `Engine.reload`.
   * @throws HelixError `WORKSPACE.INVALID` with every problem; what runs goes on then
   */
  async reload(): Promise<ReloadReport> {
    const { definition, problems } = await this.#load();
    refuseErrors(problems);
    const report = await this.engine.reload(definition);
    this.meter.forget(report.removed, (id) => this.engine.get(id) !== undefined);
    this.#workspace = definition;
    return { ...report, warnings: linesOf(problems) };
  }

  statuses(): readonly WorkflowStatus[] {
    return this.#engine?.statuses() ?? [];
  }

  /** @throws HelixError `ENGINE.UNKNOWN_WORKFLOW` */
  status(id: string): WorkflowStatus {
    return this.engine.status(id);
  }

  /** Exchanges that stand in the workflow now, oldest first. */
  inFlight(id: string): StopReport['stuck'] {
    return this.engine.inFlight().filter(({ workflowId }) => workflowId === id);
  }

  /** @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`, `ENGINE.WORKFLOW_DISABLED`, `ENGINE.START_FAILED` */
  async act(id: string, action: 'start' | 'stop' | 'restart'): Promise<WorkflowStatus> {
    const { engine } = this;
    if (action === 'start') await engine.startWorkflow(id);
    else if (action === 'stop') await engine.stopWorkflow(id);
    else await engine.restart(id);
    this.log.write('info', `workflow ${id} is ${engine.status(id).state} (${action})`, { workflow: id });
    return engine.status(id);
  }

  #load(): Promise<LoadedWorkspace> {
    return this.source.load({ ...this.vocabulary, builder: this.engine, schemas: this.validator });
  }

  request(uri: string, init: Init): Promise<Exchange> {
    return this.engine.request(uri, init);
  }

  list(): readonly WorkflowInfo[] {
    return this.engine.list();
  }

  get(id: string): WorkflowInfo | undefined {
    return this.engine.get(id);
  }

  exchange(id: string, init: Init): Exchange {
    return this.engine.exchange(id, init);
  }

  run(id: string, exchange: Exchange): Promise<void> {
    return this.engine.run(id, exchange);
  }

  /** May be called before the engine is made. */
  onChange(listener: () => void): () => void {
    if (this.#engine) return this.#engine.onChange(listener);
    this.#early.add(listener);
    return () => void this.#early.delete(listener);
  }
}
