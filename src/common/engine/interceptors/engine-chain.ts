import type { Interceptor } from '../api/interceptor.js';
import type { Log } from '../api/ports.js';
import { CorrelationInterceptor } from './correlation.interceptor.js';
import { MetricsInterceptor, type StepMeter } from './metrics.interceptor.js';
import { TimeOutInterceptor } from './time-out.interceptor.js';
import { TraceInterceptor } from './trace.interceptor.js';

/** What the chain needs of the world. */
export interface ChainPorts {
  readonly log: Log;
  readonly meter: StepMeter;
}

/**
 * The one ordered list of what stands around every step, outermost first. The HTTP edge mirrors it, and a test holds the
 * two equal by name. Admission (address, key, rate) comes before any of it, at the edge that lets a message in.
 */
export const chainOrder = ['correlation', 'trace', 'metrics', 'time-out'] as const;

/** The policies of an edge in the order they judge. None reads a body. */
export const policyOrder = ['trusted-proxy', 'ip-allowlist', 'api-key', 'rate-limit'] as const;

export function engineChain({ log, meter }: ChainPorts): readonly Interceptor[] {
  const links: Record<(typeof chainOrder)[number], () => Interceptor> = {
    correlation: () => new CorrelationInterceptor(),
    trace: () => new TraceInterceptor(log),
    metrics: () => new MetricsInterceptor(meter),
    'time-out': () => new TimeOutInterceptor(),
  };
  return chainOrder.map((name) => links[name]());
}
