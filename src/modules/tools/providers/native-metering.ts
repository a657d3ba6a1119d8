import type { ToolPricing } from '../../../common/engine/model/tool-definition.js';
import type { ReportedCost } from '../tool-provider.js';

/** How a native run ended, as far as its price depends on it. */
export interface NativeRun {
  /** `lost`: the run was interrupted, and nobody knows how far it came. */
  readonly kind: 'ok' | 'failed' | 'lost';
  readonly result: unknown;
  /** The value of the header HelixCostMicros; undefined where the route set none. */
  readonly reported: unknown;
}

/**
 * Helix is the accounting service of its own tools: what a run costs by the price its author declared. Without a fixed
 * price the route tells; one that failed and told nothing costs nothing. One that succeeded and told nothing has settled
 * without an amount, which is nonsense like any other: money refuses it and raises an alert.
 */
export function meter(pricing: ToolPricing, run: NativeRun): ReportedCost {
  if (pricing.model === 'free' || pricing.model === 'unknown') return { state: 'not_metered', micros: null };
  if (run.kind === 'lost') return { state: 'pending', micros: null };
  if (pricing.micros !== null) return { state: 'settled', micros: pricing.micros * units(pricing, run) };
  if (run.reported === undefined || run.reported === null)
    return { state: 'settled', micros: run.kind === 'ok' ? null : 0 };
  return { state: 'settled', micros: asMicros(run.reported) };
}

function units({ model }: ToolPricing, { kind, result }: NativeRun): number {
  if (model === 'per_call') return 1;
  if (kind !== 'ok') return 0;
  if (model === 'per_success') return 1;
  if (Array.isArray(result)) return result.length;
  return result === null || result === undefined ? 0 : 1;
}

/** A number, or a whole number as text; NaN for anything else, which is refused where money is moved. */
function asMicros(reported: unknown): number {
  if (typeof reported === 'number') return reported;
  if (typeof reported === 'bigint') return Number(reported);
  return typeof reported === 'string' && /^-?\d+$/.test(reported) ? Number(reported) : Number.NaN;
}
