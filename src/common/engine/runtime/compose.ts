import type { Interceptor, StepInfo } from '../api/interceptor.js';
import type { Processor } from '../api/processor.js';
import { HelixError } from '../errors/helix-error.js';

/**
 * The step with its interceptors around it, first listed outermost. With `checked` (development and tests) the mistakes
 * people make with chains are found: `next` called twice, and an interceptor that is done before what it wraps.
 */
export function compose(
  step: StepInfo,
  target: Processor,
  interceptors: readonly Interceptor[],
  checked = false,
): Processor {
  return interceptors.reduceRight<Processor>(
    (next, interceptor) =>
      checked
        ? watch(step, next, interceptor)
        : (exchange) => interceptor.intercept(exchange, step, () => next(exchange)),
    target,
  );
}

function watch(step: StepInfo, next: Processor, interceptor: Interceptor): Processor {
  const fault = (what: string): HelixError =>
    new HelixError(
      'ENGINE.INTERNAL',
      `The interceptor "${interceptor.name}" ${what} at step ${step.stepId}.`,
    );
  return (exchange) => {
    let calls = 0;
    let open = false;
    const pending = interceptor.intercept(exchange, step, () => {
      if (++calls > 1) throw fault('called next twice');
      const inner = next(exchange);
      if (inner === undefined) return;
      open = true;
      return inner.finally(() => {
        open = false;
      });
    });
    const settle = (): void => {
      if (open && !exchange.isAborted) throw fault('was done before the step (a forgotten await?)');
    };
    if (pending === undefined) settle();
    else return pending.then(settle);
  };
}
