import type { Exchange } from '../model/exchange.js';
import type { Place } from '../model/source-node.js';
import type { StepNode, UriNode, WorkspaceProblem } from '../model/workflow-definition.js';
import type { Expression, Predicate } from './expression.js';
import type { Shape, ShapeValues } from './fields/field.js';
import type { Clock, IdSource, Log, SchemaValidator } from './ports.js';
import type { Processor } from './processor.js';

/** What a field needs to read itself. */
export interface FieldReader {
  /** Compiles a script. A script that does not compile is a problem, and the expression then fails when evaluated. */
  expression(source: string, place: Place): Expression;
  /** Collects; nothing is thrown, so that one check finds every problem of a workspace. */
  problem(problem: WorkspaceProblem): void;
}

/** What a step type builds with. */
export interface RouteBuilder extends FieldReader {
  readonly workflowId: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** Null in an engine that was made without one. */
  readonly validator: SchemaValidator | null;

  /** The step's typed fields by its shape. */
  read<S extends Shape>(node: StepNode, shape: S): ShapeValues<S>;
  /** As {@link FieldReader.expression}, for a condition: anything but true or false is a failure. */
  predicate(source: string, place: Place): Predicate;
  /**
   * The steps as one processor, each with the workflow's chain around it. It never throws: a failure of an inner step
   * stands on the exchange, already judged by the workflow's error handler, and the outer step simply returns.
   * With `unhandled` no error handler stands around the inner steps, however deep: the outer step judges the failure
   * itself (`try`).
   */
  pipeline(steps: readonly StepNode[], options?: { readonly unhandled?: boolean }): Processor;
  /** Sends to a fixed target. A wrong URI, an unknown scheme and a missing consumer are problems with a place. */
  send(target: UriNode): Processor;
  /** Sends to a target known only per exchange. Fails as the endpoint fails, or with `WORKSPACE.*` for a wrong URI. */
  sendTo(uri: string, exchange: Exchange): void | Promise<void>;
  /** A piece of work of this step with the workflow's chain around it, as if it were a step of its own. */
  chained(name: string, process: Processor): Processor;
  /**
   * Lets an exchange go its own way, without anybody who waits for it: it is counted as in flight, waited for when the
   * engine stops, and no longer bound to the signal of the exchange it was copied from. A failure goes to the log.
   */
  detach(exchange: Exchange, process: Processor): void;
  /** What the step does with what it still holds when the engine stops; exchanges that it then detaches run out. */
  onStop(task: () => void): void;
}
