import type { EngineClient } from '../api/engine-client.js';
import type { WorkflowDirectory, WorkflowInfo } from '../api/workflow-directory.js';
import { HelixError } from '../errors/helix-error.js';
import { Exchange, type ExchangeInit } from '../model/exchange.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../model/workflow-definition.js';
import { breathe } from './breather.js';
import { buildPipeline } from './build-pipeline.js';
import { compileWorkspace } from './compile-workspace.js';
import { ComponentRegistry } from './component-registry.js';
import { Endpoints } from './endpoints.js';
import type { EngineOptions, StartReport, StopReport } from './engine-options.js';
import { InFlight } from './in-flight.js';
import { describeProblems, problemOf, workspaceInvalid } from './problems.js';
import { StepRegistry } from './step-registry.js';
import { Workflow, type CompiledWorkflow } from './workflow.js';

type Init = Omit<ExchangeInit, 'id' | 'createdAt'>;

/** Runs the workflows of one workspace. */
export class Engine implements EngineClient, WorkflowDirectory {
  readonly steps: StepRegistry;
  readonly components: ComponentRegistry;
  readonly #listeners = new Set<() => void>();
  #endpoints: Endpoints;
  #inFlight: InFlight;
  #workflows = new Map<string, Workflow>();

  constructor(private readonly options: EngineOptions) {
    this.components = new ComponentRegistry(options.components);
    this.steps = new StepRegistry(options.steps);
    this.#endpoints = new Endpoints(this.components);
    this.#inFlight = new InFlight(options.clock, options.log);
  }

  /** Every problem of the workspace, with its place; an empty list where there is none. Starts nothing. */
  check(workspace: WorkspaceDefinition): readonly WorkspaceProblem[] {
    return this.#compile(workspace, new Endpoints(this.components)).problems;
  }

  /**
   * Starts inner consumers first and those that let the outside in last. Either all of it runs or none.
   * @throws HelixError `WORKSPACE.INVALID` with every problem in one report
   */
  async start(workspace: WorkspaceDefinition): Promise<StartReport> {
    if (this.#workflows.size > 0)
      throw new HelixError('ENGINE.INTERNAL', 'The engine runs already: stop it first.');
    const { clock, log } = this.options;
    this.#endpoints = new Endpoints(this.components);
    this.#inFlight = new InFlight(clock, log);
    const { workflows, problems } = this.#compile(workspace, this.#endpoints);
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw workspaceInvalid(errors);
    for (const component of this.components.all()) component.adopt?.(workspace);
    this.#workflows = new Map(workflows.map((compiled) => [compiled.info.id, this.#workflow(compiled)]));
    await this.#startAll();
    for (const listener of this.#listeners) listener();
    return this.#report(problems);
  }

  async #startAll(): Promise<void> {
    const failures: WorkspaceProblem[] = [];
    for (const workflow of inStartOrder([...this.#workflows.values()])) {
      try {
        await workflow.start();
      } catch (thrown) {
        const { place } = workflow.compiled.definition.trigger;
        failures.push({ ...problemOf(thrown, place), rule: 'start-failed' });
      }
    }
    if (failures.length === 0) return;
    await this.stop({ timeoutMs: 0 });
    throw workspaceInvalid(failures);
  }

  /**
   * Edges stop first, then what is in flight runs out, then the rest stops in reverse order. What still runs after
   * `timeoutMs` is aborted and answered.
   */
  async stop({ timeoutMs }: { readonly timeoutMs: number }): Promise<StopReport> {
    const running = inStartOrder([...this.#workflows.values()]).toReversed();
    await this.#stopEach(running.filter(isEdge));
    let stuck = await this.#runOut(running, timeoutMs);
    for (const workflow of running) workflow.letGo();
    if (stuck.length === 0) stuck = await this.#runOut(running, timeoutMs);
    await this.#stopEach(running.filter((workflow) => !isEdge(workflow)));
    if (stuck.length === 0) stuck = await this.#inFlight.drain(0);
    for (const { workflowId, stepId, exchangeId, ageMs } of stuck) {
      const facts = { workflow: workflowId, step: stepId, exchange: exchangeId, ageMs };
      this.options.log.write('warn', 'still running when the time to stop was over: aborted', facts);
    }
    await this.#inFlight.abandon();
    for (const component of this.components.all()) {
      await component.close().catch((thrown: unknown) => this.#closeFailed(component.scheme, thrown));
    }
    this.#workflows = new Map();
    return { stuck };
  }

  /** What is on its way, and what waits in queues meanwhile. */
  async #runOut(running: readonly Workflow[], timeoutMs: number): Promise<StopReport['stuck']> {
    const end = this.options.clock.now() + timeoutMs;
    for (;;) {
      const left = Math.max(end - this.options.clock.now(), 0);
      const stuck = await this.#inFlight.drain(left);
      const isQueued = running.some(({ consumer }) => (consumer?.backlog ?? 0) > 0);
      if (stuck.length > 0 || !isQueued || left === 0) return stuck;
      await breathe();
    }
  }

  /**
   * Stops one workflow, lets its exchanges run out, forgets what its endpoints remember of failures (a sticky connect
   * error), and starts it again. @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`, or why it does not start
   */
  async restart(id: string, { timeoutMs = 30_000 }: { readonly timeoutMs?: number } = {}): Promise<void> {
    const workflow = this.#find(id);
    await workflow.stop();
    workflow.letGo();
    const stuck = await this.#inFlight.drain(timeoutMs, id);
    if (stuck.length > 0) {
      this.options.log.write('warn', `${stuck.length} exchanges still ran when the workflow was restarted`, {
        workflow: id,
      });
    }
    const { trigger, targets } = workflow.compiled;
    for (const endpoint of new Set([trigger, ...targets])) await endpoint?.reset?.();
    await workflow.start();
    for (const listener of this.#listeners) listener();
  }

  /** Exchanges on their way now, oldest first. */
  inFlight(): StopReport['stuck'] {
    return this.#inFlight.list();
  }

  async request(uri: string, init: Init): Promise<Exchange> {
    const { ids, clock, interceptors, development = false } = this.options;
    const exchange = new Exchange({
      signal: this.#inFlight.hardStop,
      ...init,
      id: ids.next(),
      createdAt: clock.now(),
    });
    const shown = uri.split('?')[0] ?? uri;
    const info = { workflowId: 'request', stepId: shown, keyword: 'request', uri: shown };
    const process = (sent: Exchange): void | Promise<void> => this.#endpoints.producerAt(uri)(sent);
    await this.#inFlight.pass(exchange, {
      workflowId: 'request',
      timeoutMs: null,
      process: buildPipeline([{ info, process }], interceptors, null, development),
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

  run(id: string, exchange: Exchange): Promise<void> {
    const workflow = this.#workflows.get(id);
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
  ): { readonly workflows: readonly CompiledWorkflow[]; readonly problems: readonly WorkspaceProblem[] } {
    const { interceptors, language, clock, ids, log, validator, development = false } = this.options;
    const { random = Math.random, witness = null } = this.options;
    const problems: WorkspaceProblem[] = [];
    const workflows = compileWorkspace({
      workspace,
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
        depart: (exchange, workflowId, process) =>
          this.#inFlight.pass(exchange, { workflowId, timeoutMs: null, process }),
        problem: (problem) => void problems.push(problem),
      },
    });
    return { workflows, problems };
  }

  #workflow(compiled: CompiledWorkflow): Workflow {
    const { ids, clock } = this.options;
    return new Workflow(compiled, {
      directory: this,
      inFlight: this.#inFlight,
      nextId: () => ids.next(),
      now: () => clock.now(),
    });
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

  #report(problems: readonly WorkspaceProblem[]): StartReport {
    const workflows = [...this.#workflows.values()];
    return {
      started: workflows
        .filter(({ state }) => state === 'started')
        .map(({ id, consumer, compiled }) => ({
          workflowId: id,
          from: compiled.info.from,
          address: consumer?.address ?? null,
          place: compiled.definition.place,
        })),
      disabled: workflows.filter(({ state }) => state === 'disabled').map(({ id }) => id),
      warnings: problems.length === 0 ? [] : describeProblems(problems).split('\n'),
    };
  }
}

const isEdge = ({ compiled }: Workflow): boolean => compiled.trigger?.edge === true;

/** In the order written, edges after all others. */
function inStartOrder(workflows: readonly Workflow[]): Workflow[] {
  return [...workflows.filter((workflow) => !isEdge(workflow)), ...workflows.filter(isEdge)];
}

function unknownWorkflow(id: string): HelixError {
  return new HelixError('ENGINE.UNKNOWN_WORKFLOW', `There is no workflow "${id}".`, { details: { id } });
}
