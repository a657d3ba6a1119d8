import type { EngineClient } from '../api/engine-client.js';
import type { AdoptedVersion } from '../api/component.js';
import type { Processor } from '../api/processor.js';
import type { WorkflowDirectory, WorkflowInfo } from '../api/workflow-directory.js';
import { HelixError } from '../errors/helix-error.js';
import { counted } from '../model/counted.js';
import { Exchange, type ExchangeInit } from '../model/exchange.js';
import { remembering } from '../model/remember.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../model/workflow-definition.js';
import { WorkspaceVersion } from '../model/workspace-version.js';
import { buildPipeline } from './build-pipeline.js';
import { changeoverOf, sameSurroundings, type Changeover } from './changeover.js';
import { compileWorkspace } from './compile-workspace.js';
import { ComponentRegistry } from './component-registry.js';
import { Endpoints } from './endpoints.js';
import type {
  EngineOptions,
  ReloadReport,
  StartedWorkflow,
  StartReport,
  StopReport,
  WorkflowStatus,
} from './engine-options.js';
import { InFlight } from './in-flight.js';
import { linesOf, refuseErrors, workspaceInvalid } from './problems.js';
import { retire } from './retirement.js';
import { inStartOrder, isEdge, startEach } from './start-order.js';
import { StepRegistry } from './step-registry.js';
import { VersionDirectory } from './version-directory.js';
import { Versions } from './versions.js';
import { Workflow, type CompiledWorkflow } from './workflow.js';

type Init = Omit<ExchangeInit, 'id' | 'createdAt'>;

/**
 * Runs the workflows of one workspace, and takes over changed versions of it while it runs. Longer than most files: it is
 * the one place that knows all parts, and each of them has a file of its own.
 */
export class Engine implements EngineClient, WorkflowDirectory {
  readonly steps: StepRegistry;
  readonly components: ComponentRegistry;
  readonly #listeners = new Set<() => void>();
  #versions = new Versions(new WorkspaceVersion(0));
  #endpoints: Endpoints;
  #inFlight: InFlight;
  #workspace: WorkspaceDefinition | null = null;
  #workflows: ReadonlyMap<string, Workflow> = new Map();
  /** Of older versions, with exchanges that are still on their way. */
  readonly #replaced = new Set<Workflow>();
  /** The last reload: one follows the other. */
  #changing: Promise<unknown> = Promise.resolve();
  #stopping: Promise<StopReport> | null = null;
  /** The step that stands for a request from outside, by address: what counts by step finds it again. */
  readonly #requestTo = remembering((uri): Processor => {
    const { interceptors, development = false } = this.options;
    const shown = uri.split('?')[0] ?? uri;
    const info = { workflowId: 'request', stepId: shown, keyword: 'request', uri: shown };
    const process = (sent: Exchange): void | Promise<void> => this.#endpoints.producerAt(uri)(sent);
    return buildPipeline([{ info, process }], interceptors, null, development);
  });

  constructor(private readonly options: EngineOptions) {
    this.components = new ComponentRegistry(options.components);
    this.steps = new StepRegistry(options.steps);
    this.#endpoints = new Endpoints(this.components);
    this.#inFlight = new InFlight(options.clock, options.log, this.#versions);
  }

  /** Number of the version of the workspace that counts for what comes now; 0 before the first start. */
  get version(): number {
    return this.#versions.current.number;
  }

  /** Whether all that was started listens and no stop has begun. */
  get isRunning(): boolean {
    return this.#workspace !== null && this.#stopping === null;
  }

  /** Every problem of the workspace, with its place; an empty list where there is none. Starts nothing. */
  check(workspace: WorkspaceDefinition): readonly WorkspaceProblem[] {
    return this.#compile(workspace, new Endpoints(this.components), this.#versions.next()).problems;
  }

  /**
   * Starts inner consumers first and those that let the outside in last. Either all of it runs or none.
   * @throws HelixError `WORKSPACE.INVALID` with every problem in one report
   */
  async start(workspace: WorkspaceDefinition): Promise<StartReport> {
    if (this.#workflows.size > 0)
      throw new HelixError('ENGINE.INTERNAL', 'The engine runs already: stop it first.');
    const { clock, log } = this.options;
    const version = this.#versions.next();
    this.#versions = new Versions(version);
    this.#endpoints = new Endpoints(this.components);
    this.#inFlight = new InFlight(clock, log, this.#versions);
    this.#stopping = null;
    const { workflows, problems } = this.#compile(workspace, this.#endpoints, version);
    refuseErrors(problems);
    this.#adopt(workspace, this.#versions.adopted(version));
    this.#workflows = new Map(workflows.map((each) => [each.info.id, this.#workflow(each, this)]));
    const failures = await startEach(this.#workflows.values());
    if (failures.length > 0) {
      await this.stop({ timeoutMs: 0 });
      throw workspaceInvalid(failures);
    }
    this.#workspace = workspace;
    this.#tellOfChange();
    const all = [...this.#workflows.values()];
    return {
      started: startedOf(all),
      disabled: all.filter(({ state }) => state === 'disabled').map(({ id }) => id),
      warnings: linesOf(problems),
    };
  }

  /**
   * Takes over another version of the workspace: it is checked, built and started beside the running one, and counts from
   * one moment on for all that comes. What is on its way finishes on the version it began on; workflows that say the same
   * are not touched. Where anything of it is wrong, what runs stays as it is.
   * @throws HelixError `WORKSPACE.INVALID` with every problem in one report
   */
  reload(workspace: WorkspaceDefinition): Promise<ReloadReport> {
    const turn = this.#changing.then(() => this.#reload(workspace));
    this.#changing = turn.catch(() => undefined);
    return turn;
  }

  async #reload(workspace: WorkspaceDefinition): Promise<ReloadReport> {
    if (this.#workspace === null || this.#stopping !== null)
      throw new HelixError('ENGINE.STOPPING', 'The engine does not run: there is nothing to reload.');
    const versions = this.#versions;
    const last = versions.current;
    const next = versions.next();
    const endpoints = new Endpoints(this.components);
    const { workflows, problems } = this.#compile(workspace, endpoints, next);
    refuseErrors(problems);
    const directory = new VersionDirectory(
      this,
      () => versions.current.number >= next.number,
      () => changeover.next,
    );
    const changeover = changeoverOf(this.#workflows, workflows, (compiled, before) =>
      this.#workflow(compiled, directory, before),
    );
    const { fresh, replaced } = changeover;
    if (fresh.length + replaced.length === 0 && sameSurroundings(this.#workspace, workspace))
      return reportOf(last.number, changeover, problems);
    for (const { compiled } of replaced) compiled.lifespan.until = last;
    const failures = await startEach(fresh);
    if (failures.length > 0) {
      await this.#stopEach(inStartOrder(fresh).toReversed());
      for (const { compiled } of replaced) compiled.lifespan.until = null;
      throw workspaceInvalid(failures);
    }
    const adopted = versions.advance(next);
    this.#endpoints = endpoints;
    this.#workspace = workspace;
    this.#workflows = changeover.next;
    this.#adopt(workspace, adopted);
    for (const workflow of replaced) this.#replaced.add(workflow);
    this.#tellOfChange();
    void this.#retire(replaced, last);
    return reportOf(next.number, changeover, problems);
  }

  async #retire(replaced: readonly Workflow[], last: WorkspaceVersion): Promise<void> {
    const { clock, log } = this.options;
    const stop = (workflow: Workflow): Promise<void> => this.#stopEach([workflow]);
    await retire(replaced, last, { inFlight: this.#inFlight, versions: this.#versions, clock, log, stop });
    for (const workflow of replaced) this.#replaced.delete(workflow);
  }

  /**
   * Edges stop first, then what is in flight runs out, then the rest stops in reverse order. What still runs after
   * `timeoutMs` is aborted and answered. Called again, it gives the same stop.
   */
  stop({ timeoutMs }: { readonly timeoutMs: number }): Promise<StopReport> {
    this.#stopping ??= this.#changing.then(() => this.#stop(timeoutMs));
    return this.#stopping;
  }

  async #stop(timeoutMs: number): Promise<StopReport> {
    const running = inStartOrder([...this.#replaced, ...this.#workflows.values()]).toReversed();
    const end = this.options.clock.now() + timeoutMs;
    await this.#stopEach(running.filter(isEdge));
    await this.#runOut(running, end);
    for (const workflow of running) workflow.letGo();
    await this.#runOut(running, end);
    await this.#stopEach(running.filter((workflow) => !isEdge(workflow)));
    const stuck = this.#inFlight.list();
    for (const { workflowId, stepId, exchangeId, ageMs } of stuck) {
      const facts = { workflow: workflowId, step: stepId, exchange: exchangeId, ageMs };
      this.options.log.write('warn', 'still running when the time to stop was over: aborted', facts);
    }
    await this.#inFlight.abandon();
    for (const component of this.components.all()) {
      await component.close().catch((thrown: unknown) => this.#closeFailed(component.scheme, thrown));
    }
    this.#workflows = new Map();
    this.#replaced.clear();
    this.#workspace = null;
    return { stuck };
  }

  /** What is on its way, and what waits in queues meanwhile. */
  async #runOut(running: readonly Workflow[], end: number): Promise<void> {
    const { clock, log } = this.options;
    const queued = (): number => running.reduce((sum, { backlog }) => sum + backlog, 0);
    const isOut = (): boolean => this.#inFlight.size === 0 && queued() === 0;
    await this.#inFlight.until(isOut, Math.max(end - clock.now(), 0), () => {
      const waiting = queued();
      const queues = waiting > 0 ? `; queued: ${counted(waiting, 'more message')}` : '';
      log.write('info', `waiting for ${counted(this.#inFlight.size, 'exchange')} to run out${queues}`);
    });
  }

  /**
   * Stops one workflow: nothing new reaches it, what is on its way runs on. One that does not run stays as it is.
   * @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`
   */
  async stopWorkflow(id: string): Promise<void> {
    const workflow = this.#find(id);
    await workflow.stop();
    workflow.letGo();
    this.#tellOfChange();
  }

  /**
   * Starts one workflow that was stopped or failed. One that runs stays as it is.
   * @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`, `ENGINE.WORKFLOW_DISABLED`, `ENGINE.START_FAILED`
   */
  async startWorkflow(id: string): Promise<void> {
    const workflow = this.#find(id);
    if (workflow.state === 'disabled')
      throw new HelixError('ENGINE.WORKFLOW_DISABLED', `The workspace disables "${id}": enable it there.`);
    if (workflow.state !== 'stopped' && workflow.state !== 'failed') return;
    await this.#startAgain(workflow);
  }

  /**
   * Stops one workflow, lets its exchanges run out, forgets what its endpoints remember of failures (a sticky connect
   * error), and starts it again.
   * @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`, `ENGINE.WORKFLOW_DISABLED`, `ENGINE.START_FAILED`
   */
  async restart(id: string, { timeoutMs = 30_000 }: { readonly timeoutMs?: number } = {}): Promise<void> {
    const workflow = this.#find(id);
    await workflow.stop();
    workflow.letGo();
    const { log } = this.options;
    const { counters } = workflow;
    const progress = (): void =>
      log.write('info', `waiting for ${counted(counters.inFlight, 'exchange')} to run out`, { workflow: id });
    if (!(await this.#inFlight.until(() => counters.inFlight === 0, timeoutMs, progress)))
      log.write(
        'warn',
        `${counted(counters.inFlight, 'exchange')} still ran when the workflow was restarted`,
        {
          workflow: id,
        },
      );
    const { trigger, targets } = workflow.compiled;
    for (const endpoint of new Set([trigger, ...targets])) await endpoint?.reset?.();
    if (workflow.state === 'disabled') return this.startWorkflow(id);
    await this.#startAgain(workflow);
  }

  async #startAgain(workflow: Workflow): Promise<void> {
    const { id } = workflow;
    // Meanwhile the whole engine may have been stopped, or a reload has brought another one.
    if (workflow.isReplaced || this.#stopping !== null || workflow.state === 'started') return;
    try {
      await workflow.start();
    } catch (thrown) {
      const { message } = HelixError.from(thrown);
      throw new HelixError('ENGINE.START_FAILED', `"${id}" does not start: ${message}`, { cause: thrown });
    } finally {
      this.#tellOfChange();
    }
  }

  /** Exchanges on their way now, oldest first. */
  inFlight(): StopReport['stuck'] {
    return this.#inFlight.list();
  }

  /** Every workflow of the current version and how it fares, in the order written. */
  statuses(): readonly WorkflowStatus[] {
    return [...this.#workflows.values()].map(statusOf);
  }

  /** @throws HelixError `ENGINE.UNKNOWN_WORKFLOW` */
  status(id: string): WorkflowStatus {
    return statusOf(this.#find(id));
  }

  async request(uri: string, init: Init): Promise<Exchange> {
    const { ids, clock } = this.options;
    const exchange = new Exchange({
      signal: this.#inFlight.hardStop,
      ...init,
      id: ids.next(),
      createdAt: clock.now(),
    });
    await this.#inFlight.pass(exchange, {
      workflowId: 'request',
      timeoutMs: null,
      counters: null,
      lifespan: null,
      process: this.#requestTo(uri),
    });
    return exchange;
  }

  list(): readonly WorkflowInfo[] {
    return [...this.#workflows.values()].map(({ workflow }) => workflow);
  }

  get(id: string): WorkflowInfo | undefined {
    return this.#workflows.get(id)?.workflow;
  }

  exchange(id: string, init: Init): Exchange {
    return this.#find(id).exchange(init);
  }

  /** By the exchange's own version where it is on one already. */
  run(id: string, exchange: Exchange): Promise<void> {
    const current = this.#workflows.get(id);
    const workflow = current?.serves(exchange) ? current : (this.#formerOf(id, exchange) ?? current);
    if (workflow) return workflow.admit(exchange);
    exchange.fail(unknownWorkflow(id));
    return Promise.resolve();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #compile(
    workspace: WorkspaceDefinition,
    endpoints: Endpoints,
    version: WorkspaceVersion,
  ): { readonly workflows: readonly CompiledWorkflow[]; readonly problems: readonly WorkspaceProblem[] } {
    const { interceptors, language, clock, ids, log, validator, development = false } = this.options;
    const { random = Math.random, witness = null } = this.options;
    const problems: WorkspaceProblem[] = [];
    const workflows = compileWorkspace({
      workspace,
      version,
      components: this.components.all(),
      validator: validator ?? null,
      context: {
        steps: this.steps,
        endpoints,
        interceptors,
        language,
        clock,
        ids,
        log,
        checked: development,
        validator: validator ?? null,
        random,
        witness,
        depart: (exchange, { workflowId, lifespan }, process) =>
          this.#inFlight.pass(exchange, { workflowId, timeoutMs: null, process, counters: null, lifespan }),
        problem: (problem) => void problems.push(problem),
      },
    });
    return { workflows, problems };
  }

  #workflow(compiled: CompiledWorkflow, directory: WorkflowDirectory, before?: Workflow): Workflow {
    const { ids, clock } = this.options;
    const around = {
      directory,
      inFlight: this.#inFlight,
      versions: this.#versions,
      nextId: () => ids.next(),
      now: () => clock.now(),
    };
    return new Workflow(compiled, around, before?.counters);
  }

  #formerOf(id: string, exchange: Exchange): Workflow | undefined {
    return [...this.#replaced].find((workflow) => workflow.id === id && workflow.serves(exchange));
  }

  #adopt(workspace: WorkspaceDefinition, version: AdoptedVersion): void {
    for (const component of this.components.all()) component.adopt?.(workspace, version);
  }

  #tellOfChange(): void {
    for (const listener of this.#listeners) listener();
  }

  async #stopEach(workflows: readonly Workflow[]): Promise<void> {
    for (const workflow of workflows) {
      await workflow.stop().catch((thrown: unknown) => this.#closeFailed(workflow.id, thrown));
    }
  }

  #closeFailed(what: string, thrown: unknown): void {
    this.options.log.write('error', `"${what}" did not stop cleanly`, { code: HelixError.from(thrown).code });
  }

  #find(id: string): Workflow {
    const workflow = this.#workflows.get(id);
    if (!workflow) throw unknownWorkflow(id);
    return workflow;
  }
}

function statusOf(workflow: Workflow): WorkflowStatus {
  const { compiled, consumer, state, failure, counters } = workflow;
  return {
    ...workflow.workflow,
    version: compiled.lifespan.since.number,
    address: state === 'started' ? (consumer?.address ?? null) : null,
    place: compiled.definition.place,
    failure,
    counts: counters.counts(),
  };
}

function startedOf(workflows: readonly Workflow[]): readonly StartedWorkflow[] {
  return workflows
    .filter(({ state }) => state === 'started')
    .map(({ id, consumer, compiled }) => ({
      workflowId: id,
      from: compiled.info.from,
      address: consumer?.address ?? null,
      place: compiled.definition.place,
    }));
}

function reportOf(
  version: number,
  { fresh, added, changed, removed, unchanged }: Changeover,
  problems: readonly WorkspaceProblem[],
): ReloadReport {
  const started = startedOf(fresh);
  return { version, added, changed, removed, unchanged, started, warnings: linesOf(problems) };
}

function unknownWorkflow(id: string): HelixError {
  return new HelixError('ENGINE.UNKNOWN_WORKFLOW', `There is no workflow "${id}".`, { details: { id } });
}
