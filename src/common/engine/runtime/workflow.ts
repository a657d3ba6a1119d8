import type { Consumer, Endpoint, Route } from '../api/component.js';
import type { Processor } from '../api/processor.js';
import type { WorkflowDirectory, WorkflowInfo, WorkflowState } from '../api/workflow-directory.js';
import { HelixError, type FieldProblem } from '../errors/helix-error.js';
import { Exchange, type ExchangeInit } from '../model/exchange.js';
import type { WorkflowDefinition } from '../model/workflow-definition.js';
import type { InFlight, Trip } from './in-flight.js';
import type { WrittenWorkflow } from './same-workflow.js';
import { overlap, type Lifespan, type Versions } from './versions.js';
import { WorkflowCounters } from './workflow-counters.js';

/** A workflow compiled and ready to listen. */
export interface CompiledWorkflow {
  readonly definition: WorkflowDefinition;
  /** All that was written of it, for a comparison with a later version. */
  readonly written: WrittenWorkflow;
  readonly lifespan: Lifespan;
  readonly info: Omit<WorkflowInfo, 'state'>;
  readonly pipeline: Processor;
  /** Null only in a workspace with problems. */
  readonly trigger: Endpoint | null;
  /** Endpoints it sends to. */
  readonly targets: readonly Endpoint[];
  /** The check of its `input-schema`, null without one. */
  readonly violations: ((value: unknown) => readonly FieldProblem[]) | null;
  /** What its steps do with what they still hold when nothing more comes. */
  readonly stopTasks: readonly (() => void)[];
}

/** What a workflow needs of the engine it runs in. */
export interface Surroundings {
  readonly directory: WorkflowDirectory;
  readonly inFlight: InFlight;
  readonly versions: Versions;
  nextId(): string;
  now(): number;
}

/** One running workflow: the route its trigger is handed. */
export class Workflow implements Route {
  state: WorkflowState;
  consumer: Consumer | null = null;
  /** Why the last start failed. */
  failure: HelixError | null = null;
  readonly #trip: Trip;
  #built: Consumer | null = null;

  constructor(
    readonly compiled: CompiledWorkflow,
    private readonly around: Surroundings,
    readonly counters = new WorkflowCounters(),
  ) {
    this.state = compiled.definition.disabled ? 'disabled' : 'stopped';
    const { info, pipeline, lifespan } = compiled;
    this.#trip = {
      workflowId: info.id,
      timeoutMs: info.timeoutMs,
      process: pipeline,
      counters,
      lifespan,
    };
  }

  get id(): string {
    return this.compiled.info.id;
  }

  get workflow(): WorkflowInfo {
    return { ...this.compiled.info, state: this.state };
  }

  get directory(): WorkflowDirectory {
    return this.around.directory;
  }

  exchange(init: Omit<ExchangeInit, 'id' | 'createdAt'>): Exchange {
    const exchange = new Exchange({
      signal: this.around.inFlight.hardStop,
      ...init,
      id: this.around.nextId(),
      createdAt: this.around.now(),
    });
    exchange.workflowId = this.id;
    return exchange;
  }

  get isReplaced(): boolean {
    return this.compiled.lifespan.until !== null;
  }

  serves(exchange: Exchange | null): boolean {
    return this.around.versions.isWithin(this.compiled.lifespan, exchange);
  }

  coexistsWith(other: Route): boolean {
    return (
      other instanceof Workflow && other !== this && overlap(this.compiled.lifespan, other.compiled.lifespan)
    );
  }

  violations(value: unknown): readonly FieldProblem[] {
    return this.compiled.violations?.(value) ?? [];
  }

  pass(exchange: Exchange): void | Promise<void> {
    return this.around.inFlight.pass(exchange, this.#trip);
  }

  async run(exchange: Exchange): Promise<void> {
    await this.pass(exchange);
  }

  /** As if it had come through the trigger: for what arrives through the directory. */
  async admit(exchange: Exchange): Promise<void> {
    try {
      if (this.state !== 'started' && !this.isReplaced) {
        throw new HelixError('ENGINE.NO_CONSUMER', `The workflow "${this.id}" is ${this.state}.`);
      }
      if (this.consumer?.receive) await this.consumer.receive(exchange);
      else refuse(this.id, this.violations(exchange.body));
    } catch (thrown) {
      exchange.workflowId = this.id;
      exchange.fail(thrown);
      return;
    }
    await this.pass(exchange);
  }

  /** Makes the consumer without starting it, so that what is wrong with it is known before anything of it runs. */
  build(): void {
    if (!this.compiled.definition.disabled) this.#built = this.#makeConsumer();
  }

  async start(): Promise<void> {
    if (this.compiled.definition.disabled) return;
    this.state = 'starting';
    this.failure = null;
    try {
      this.consumer = this.#built ?? this.#makeConsumer();
      this.#built = null;
      await this.consumer.start();
      this.state = 'started';
    } catch (thrown) {
      this.state = 'failed';
      this.failure = HelixError.from(thrown);
      throw thrown;
    }
  }

  #makeConsumer(): Consumer {
    const { trigger, info } = this.compiled;
    if (trigger?.consumer) return trigger.consumer(this);
    throw new HelixError('WORKSPACE.UNSUPPORTED_END', `Nothing can be received from ${info.from}.`);
  }

  /** Lets go of what its steps hold back (groups of `aggregate`); it is on its way then as any exchange. */
  letGo(): void {
    for (const task of this.compiled.stopTasks) task();
  }

  /** Takes no new messages. What is in flight runs on. */
  async stop(): Promise<void> {
    const { consumer } = this;
    if (consumer === null || this.state === 'stopped') return;
    this.state = 'stopping';
    try {
      await consumer.stop();
    } finally {
      this.state = 'stopped';
    }
  }

  /** Messages that it has accepted and not begun. */
  get backlog(): number {
    return this.consumer?.backlog ?? 0;
  }
}

function refuse(id: string, problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (!first) return;
  throw new HelixError(
    'TOOL.INVALID_ARGUMENTS',
    `workflow "${id}" input validation failed: ${first.path === '' ? '' : `${first.path} `}${first.message}`,
    { fields: problems },
  );
}
