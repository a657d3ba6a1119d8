import { Injectable } from '@nestjs/common';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { Metrics, type Counter } from '../../common/platform/metrics/metrics.js';

/** Counts costs that nobody should believe, for an operator to be alerted: the calls stay `pending` meanwhile. */
@Injectable()
export class OddCosts {
  readonly #refused: Counter;

  constructor(
    private readonly log: HelixLog,
    metrics: Metrics,
  ) {
    this.#refused = metrics.counter(
      'helix_call_costs_refused_total',
      'Costs that an accounting service reported and nobody believes: negative, not whole, too large, or missing.',
      ['provider'],
    );
  }

  report(callId: string, provider: string): void {
    this.#refused.add(1, { provider });
    this.log.write('error', 'An accounting service reported a cost that cannot be; it is not charged.', {
      callId,
      provider,
    });
  }
}
