import type { Endpoint } from '../api/component.js';
import type { ErrorHandler } from '../api/error-handler.js';
import type { Expression, ExpressionLanguage, Predicate } from '../api/expression.js';
import { readShape, strict } from '../api/fields/index.js';
import type { Shape, ShapeValues } from '../api/fields/field.js';
import type { Interceptor, StepInfo } from '../api/interceptor.js';
import type { Clock, IdSource, Log } from '../api/ports.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { HelixError } from '../errors/helix-error.js';
import { EndpointUri } from '../model/endpoint-uri.js';
import type { Exchange } from '../model/exchange.js';
import type { Place } from '../model/source-node.js';
import type { StepNode, UriNode, WorkspaceProblem } from '../model/workflow-definition.js';
import { buildPipeline, type PipelineStep } from './build-pipeline.js';
import type { Endpoints } from './endpoints.js';
import { problemOf } from './problems.js';
import type { StepRegistry } from './step-registry.js';

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
  readonly problem: (problem: WorkspaceProblem) => void;
}

/** A fixed target of a workflow, for the checks over the whole workspace. */
export interface Sending {
  readonly endpoint: Endpoint;
  readonly place: Place;
}

/** Compiles the steps of one workflow. */
export class RouteCompiler implements RouteBuilder {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly sendings: Sending[] = [];
  /** Set before the first pipeline is built, since it stands around every step. */
  errorHandler: ErrorHandler | null = null;
  readonly #stepIds = new Map<string, Place>();
  #count = 0;
  #target: string | undefined;

  constructor(
    readonly workflowId: string,
    private readonly context: CompileContext,
  ) {
    ({ clock: this.clock, ids: this.ids, log: this.log } = context);
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
    const steps = nodes.flatMap((node) => this.#step(node) ?? []);
    const { interceptors, checked } = this.context;
    return buildPipeline(steps, interceptors, unhandled ? null : this.errorHandler, checked);
  }

  send(target: UriNode): Processor {
    try {
      const uri = EndpointUri.parse(target.uri, target.parameters, target.secrets, target.shownPath);
      this.#target ??= uri.toString();
      const endpoint = this.context.endpoints.fixed(uri);
      const producer = this.context.endpoints.producerOf(endpoint);
      this.sendings.push({ endpoint, place: target.place });
      return producer;
    } catch (thrown) {
      this.problem(problemOf(thrown, target.place));
      return () => {
        throw thrown;
      };
    }
  }

  sendTo(uri: string, exchange: Exchange): void | Promise<void> {
    return this.context.endpoints.producerAt(uri)(exchange);
  }

  #step(node: StepNode): PipelineStep | null {
    const nth = this.#count++;
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
    const twin = this.#stepIds.get(stepId);
    if (twin) {
      this.problem({
        severity: 'error',
        rule: 'duplicate-id',
        message: `The step id "${stepId}" is taken by the step at line ${twin.line}: choose another.`,
        place: node.place,
      });
    }
    this.#stepIds.set(stepId, node.place);
    const outer = this.#target;
    this.#target = undefined;
    const process = type.compile(node, this);
    const uri = this.#target as string | undefined;
    this.#target = outer;
    const info: StepInfo = {
      workflowId: this.workflowId,
      stepId,
      keyword: type.keyword,
      ...(uri ? { uri } : {}),
    };
    return node.disabled ? null : { info, process };
  }
}
