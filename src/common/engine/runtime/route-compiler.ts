import type { Endpoint } from '../api/component.js';
import type { ErrorHandler } from '../api/error-handler.js';
import type { Expression, ExpressionLanguage, Predicate } from '../api/expression.js';
import { readShape, strict } from '../api/fields/index.js';
import type { Shape, ShapeValues } from '../api/fields/field.js';
import type { Interceptor, StepInfo } from '../api/interceptor.js';
import type { Clock, IdSource, Log, SchemaValidator, Witness } from '../api/ports.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import type { Burial } from '../error-handlers/burial.js';
import { HelixError } from '../errors/helix-error.js';
import { EndpointUri } from '../model/endpoint-uri.js';
import { journey, noSignal, type Exchange } from '../model/exchange.js';
import type { Place } from '../model/source-node.js';
import type { StepNode, UriNode, WorkspaceProblem } from '../model/workflow-definition.js';
import { breathe } from './breather.js';
import { buildPipeline, type PipelineStep } from './build-pipeline.js';
import type { Endpoints } from './endpoints.js';
import type { Interception } from './interception.js';
import { problemOf, problemsOf } from './problems.js';
import type { StepRegistry } from './step-registry.js';
import type { Lifespan } from './versions.js';

/** What all workflows of a workspace are compiled with. */
export interface CompileContext {
  readonly steps: StepRegistry;
  readonly endpoints: Endpoints;
  readonly interceptors: readonly Interceptor[];
  readonly language: ExpressionLanguage;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly checked: boolean;
  readonly validator: SchemaValidator | null;
  readonly random: () => number;
  readonly witness: Witness | null;
  /** Takes an exchange on a way of its own. Never throws. */
  readonly depart: (
    exchange: Exchange,
    from: { readonly workflowId: string; readonly lifespan: Lifespan },
    process: Processor,
  ) => void | Promise<void>;
  readonly problem: (problem: WorkspaceProblem) => void;
}

/** A fixed target of a workflow, for the checks over the whole workspace. */
export interface Sending {
  readonly endpoint: Endpoint;
  readonly place: Place;
}

/** What the compilers of one workflow share. */
interface Shared {
  readonly sendings: Sending[];
  readonly onStop: (() => void)[];
  readonly stepIds: Map<string, Place>;
  count: number;
  /** Set before the first pipeline is built, since it stands around every step. */
  errorHandler: ErrorHandler | null;
  /** The workflow's dead letters; null where none are written. */
  burial: Burial | null;
}

/** Compiles the steps of one workflow. */
export class RouteCompiler implements RouteBuilder {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly validator: SchemaValidator | null;
  /** What the workspace declares around steps and targets; null for the steps of interceptors themselves. */
  interception: Interception | null = null;
  #target: string | undefined;
  /** The step that is being compiled. */
  #step: StepInfo | null = null;
  /** Inside steps whose failures an outer step judges. */
  #isUnhandled = false;

  constructor(
    readonly workflowId: string,
    private readonly context: CompileContext,
    readonly lifespan: Lifespan,
    private readonly shared: Shared = {
      sendings: [],
      onStop: [],
      stepIds: new Map(),
      count: 0,
      errorHandler: null,
      burial: null,
    },
  ) {
    ({ clock: this.clock, ids: this.ids, log: this.log, validator: this.validator } = context);
  }

  get sendings(): readonly Sending[] {
    return this.shared.sendings;
  }

  /** What steps do when the engine stops. */
  get stopTasks(): readonly (() => void)[] {
    return this.shared.onStop;
  }

  set errorHandler(handler: ErrorHandler | null) {
    this.shared.errorHandler = handler;
  }

  set burial(burial: Burial | null) {
    this.shared.burial = burial;
  }

  /** For the steps of interceptors: what they do is not intercepted again. */
  bare(): RouteCompiler {
    return new RouteCompiler(this.workflowId, this.context, this.lifespan, this.shared);
  }

  problem(problem: WorkspaceProblem): void {
    this.context.problem(problem);
  }

  read<S extends Shape>(node: StepNode, shape: S): ShapeValues<S> {
    return readShape(node.body, shape, this);
  }

  expression(source: string, place: Place): Expression {
    try {
      return this.context.language.compile(source, `${this.workflowId}:${place.line}`);
    } catch (thrown) {
      this.problem({ ...problemOf(thrown, place), rule: 'wrong-script' });
      return {
        source,
        evaluate() {
          throw HelixError.from(thrown, 'EXPRESSION.INVALID_SCRIPT');
        },
      };
    }
  }

  predicate(source: string, place: Place): Predicate {
    return strict(this.expression(source, place));
  }

  pipeline(
    nodes: readonly StepNode[],
    { unhandled = false }: { readonly unhandled?: boolean } = {},
  ): Processor {
    const outer = this.#isUnhandled;
    this.#isUnhandled = outer || unhandled;
    const steps = nodes.flatMap((node) => this.#compile(node) ?? []);
    const pipeline = this.#build(steps);
    this.#isUnhandled = outer;
    return pipeline;
  }

  chained(name: string, process: Processor): Processor {
    const around = this.#step;
    const info: StepInfo = {
      workflowId: this.workflowId,
      stepId: around === null ? name : `${around.stepId}.${name}`,
      keyword: around?.keyword ?? name,
    };
    return this.#build([{ info, process }]);
  }

  detach(exchange: Exchange, process: Processor): void {
    exchange.cancellation = noSignal;
    exchange[journey] = null;
    // Part of the way only: sent again, the whole message would do too much.
    exchange.received = null;
    const work = async (own: Exchange): Promise<void> => {
      await breathe();
      await process(own);
      await this.shared.burial?.afterwards(own);
    };
    // What fails stands on the exchange and is told by whoever counts those on their way.
    void this.context.depart(exchange, this, work);
  }

  onStop(task: () => void): void {
    this.shared.onStop.push(task);
  }

  send(target: UriNode): Processor {
    try {
      const uri = EndpointUri.parse(target.uri, target.parameters, target.secrets, target.shownPath);
      this.#target ??= uri.toString();
      const endpoint = this.context.endpoints.fixed(uri);
      const producer = this.context.endpoints.producerOf(endpoint);
      this.shared.sendings.push({ endpoint, place: target.place });
      return this.interception?.aroundTarget(uri, producer) ?? producer;
    } catch (thrown) {
      for (const found of problemsOf(thrown, target.place)) this.problem(found);
      return () => {
        throw thrown;
      };
    }
  }

  sendTo(uri: string, exchange: Exchange): void | Promise<void> {
    const producer = this.context.endpoints.producerAt(uri);
    return (this.interception?.aroundDynamic(uri, producer) ?? producer)(exchange);
  }

  #build(steps: readonly PipelineStep[]): Processor {
    const { interceptors, checked } = this.context;
    const declared = this.interception?.aroundSteps ?? [];
    const handler = this.#isUnhandled ? null : this.shared.errorHandler;
    return buildPipeline(steps, [...declared, ...interceptors], handler, checked);
  }

  #compile(node: StepNode): PipelineStep | null {
    const nth = this.shared.count++;
    const type = this.context.steps.find(node.keyword);
    if (!type) {
      const suggestion = this.context.steps.suggest(node.keyword);
      this.problem({
        severity: 'error',
        rule: 'unknown-step',
        message: `There is no step "${node.keyword}"${suggestion ? `; did you mean "${suggestion}"?` : '.'}`,
        place: node.place,
        ...(suggestion ? { suggestion } : {}),
      });
      return null;
    }
    const stepId = node.id ?? `${node.keyword}[${nth}]`;
    const twin = this.shared.stepIds.get(stepId);
    if (twin) {
      this.problem({
        severity: 'error',
        rule: 'duplicate-id',
        message: `The step id "${stepId}" is taken by the step at line ${twin.line}: choose another.`,
        place: node.place,
      });
    }
    this.shared.stepIds.set(stepId, node.place);
    const [outer, outerStep] = [this.#target, this.#step];
    this.#target = undefined;
    const plain: StepInfo = {
      workflowId: this.workflowId,
      stepId,
      keyword: type.keyword,
      place: node.place,
    };
    this.#step = plain;
    const process = type.compile(node, this);
    const uri = this.#target as string | undefined;
    [this.#target, this.#step] = [outer, outerStep];
    return node.disabled ? null : { info: { ...plain, ...(uri ? { uri } : {}) }, process };
  }
}
