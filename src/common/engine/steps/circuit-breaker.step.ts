import { untilAborted } from '../api/abort.js';
import { Deadline } from '../api/deadline.js';
import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { isPointless } from '../error-handlers/retry-policy.js';
import { HelixError } from '../errors/helix-error.js';
import { journey, type Exchange } from '../model/exchange.js';
import type { StepNode } from '../model/workflow-definition.js';
import { Circuit, type CallOutcome } from './circuit.js';
import { dealWith } from './deal-with.js';

const shape = {
  steps: fields.steps('What may fail.'),
  'on-fallback': fields.steps(
    'What to do instead, with the message as it stood before; the failure is readable as error.',
    { optional: true },
  ),
  'failure-rate': fields.number('Share of failed calls, in percent, that opens it.', 50, {
    minimum: 1,
    maximum: 100,
  }),
  window: fields.integer('How many of the last calls count.', 20, { minimum: 1, maximum: 10_000 }),
  'minimum-calls': fields.integer('Fewer calls than these open nothing.', 5, { minimum: 1 }),
  'open-for': fields.duration('How long no call passes once it is open.', 30_000),
  'trial-calls': fields.integer('How many calls then try whether it works again.', 1, { minimum: 1 }),
  timeout: fields.duration('A call that takes longer is given up and counts as a failure.', null),
};

export class CircuitBreakerStep extends StepType {
  readonly keyword = 'circuit-breaker';
  readonly description =
    'Spares a target that fails: after too many failures its steps are not tried for a while.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const values = build.read(node, shape);
    const circuit = new Circuit(
      {
        window: values.window,
        minimumCalls: values['minimum-calls'],
        failureRate: values['failure-rate'],
        openForMs: values['open-for'],
        trialCalls: values['trial-calls'],
      },
      build.clock,
    );
    const inner = build.pipeline(values.steps, { unhandled: true });
    const fallback = values['on-fallback'] === null ? null : build.pipeline(values['on-fallback']);
    const { timeout } = values;

    const fallBack = (exchange: Exchange, failure: HelixError): void | Promise<void> => {
      if (fallback === null || exchange.isAborted) throw failure;
      return dealWith(exchange, failure, fallback);
    };

    /** On a branch, so that a call that was given up cannot touch the exchange, whenever it ends. */
    const call = async (exchange: Exchange, tell: (outcome: CallOutcome) => void): Promise<void> => {
      const mine = exchange[journey];
      const { clock, ids } = build;
      const reins = new Deadline([exchange.cancellation], timeout, clock, () => late(timeout));
      const branch = exchange.branch(ids.next(), exchange.in.copy());
      branch.cancellation = reins;
      let failure: HelixError | null;
      try {
        await untilAborted(Promise.resolve(inner(branch)), reins);
        failure = branch.takeFailure();
      } catch (thrown) {
        failure = branch.takeFailure() ?? HelixError.from(thrown);
      } finally {
        reins.release();
      }
      tell(failure === null ? 'ok' : outcomeOf(failure));
      if (exchange[journey] !== mine) return;
      if (failure === null) takeOver(exchange, branch);
      else await fallBack(exchange, exchange.placed(failure, branch.failedAt ?? here(exchange)));
    };

    return (exchange) => {
      const tell = circuit.admit();
      if (tell !== null) return call(exchange, tell);
      return fallBack(exchange, exchange.placed(open(circuit.opensIn), here(exchange)));
    };
  }
}

const here = ({ workflowId, stepId }: Exchange): NonNullable<Exchange['failedAt']> => ({
  workflowId,
  stepId,
});

function takeOver(exchange: Exchange, branch: Exchange): void {
  exchange.in = branch.in;
  exchange.properties.clear();
  for (const [name, value] of branch.properties) exchange.properties.set(name, value);
  exchange.stopped = branch.stopped;
}

/** A caller that left, a stop of the server and a fault of the request say nothing about the other side. */
function outcomeOf(failure: HelixError): CallOutcome {
  const { code } = failure;
  return code === 'ENGINE.CANCELLED' || code === 'ENGINE.STOPPING' || isPointless(failure)
    ? 'neither'
    : 'failed';
}

function open(waitMs: number): HelixError {
  return new HelixError(
    'ENGINE.CIRCUIT_OPEN',
    'The target failed too often just now and is not tried again yet.',
    { details: { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) } },
  );
}

function late(timeoutMs: number | null): HelixError {
  return new HelixError(
    'ENGINE.TIMED_OUT',
    `The steps of the circuit breaker took longer than ${timeoutMs} ms.`,
  );
}
