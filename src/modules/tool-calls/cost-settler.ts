import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { Metrics, type Counter } from '../../common/platform/metrics/metrics.js';
import { AppRole } from '../../common/platform/platform.module.js';
import { judgeCost, pendingCost } from '../funding/index.js';
import { ToolDispatcher } from '../tools/index.js';
import { CostJournal, type DueCost, type Settlement } from './cost-journal.js';
import { OddCosts } from './odd-costs.js';

const sweepMs = 2_000;
/** Costs asked for in one sweep. */
const askedAtOnce = 32;
/** How long one accounting service may take to answer. */
const askMs = 10_000;

/**
 * Finds out what pending costs have become, on every node: from what a late node learned, or from the provider. One that
 * stays unknown past its deadline is given up: the hold is captured, and the actual cost stays null.
 */
@Injectable()
export class CostSettler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #captured: Counter;
  #sweeps: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  readonly #stop = new AbortController();

  constructor(
    private readonly costs: CostJournal,
    private readonly dispatcher: ToolDispatcher,
    private readonly config: HelixConfig,
    private readonly odd: OddCosts,
    private readonly log: HelixLog,
    private readonly role: AppRole,
    metrics: Metrics,
  ) {
    this.#captured = metrics.counter(
      'helix_call_costs_given_up_total',
      'Calls whose cost was not known by the deadline; their reservation was taken.',
      ['provider'],
    );
  }

  /** A command that only looks in settles nothing. */
  onApplicationBootstrap(): void {
    if (this.role.name === 'visit') return;
    this.#sweeps = setInterval(() => {
      this.#sweeping ??= this.sweep()
        .catch((error: unknown) => this.log.write('warn', 'Settling late costs failed.', { error }))
        .finally(() => (this.#sweeping = undefined));
    }, sweepMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#sweeps);
    this.#stop.abort();
    await this.#sweeping;
  }

  /** Settles what is due by now. */
  async sweep(): Promise<void> {
    const due = await this.costs.claimDue(this.config.costDeadlineSeconds, askedAtOnce);
    const settlements = (await Promise.all(due.map((cost) => this.#settlementOf(cost)))).filter(
      ({ verdict }) => verdict.state !== 'pending',
    );
    if (settlements.length > 0 && !this.#stop.signal.aborted) await this.costs.settle(settlements);
  }

  async #settlementOf(cost: DueCost): Promise<Settlement> {
    const { callId, organizationId, creatorId } = cost;
    const reference = cost.late?.reference ?? null;
    let verdict = cost.late?.verdict ?? (await this.#ask(cost));
    if (verdict.state === 'pending' && cost.isOverdue && !this.#stop.signal.aborted) {
      verdict = { state: 'captured', micros: null };
      this.#captured.add(1, { provider: cost.provider });
      this.log.write(
        'warn',
        'The cost of a call is not known after its deadline; its reservation is taken.',
        {
          callId,
          provider: cost.provider,
        },
      );
    }
    return { callId, organizationId, creatorId, verdict, reference };
  }

  /** A provider that does not answer is asked again later. */
  async #ask(cost: DueCost) {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(askMs)]);
    try {
      const { verdict, isOdd } = judgeCost(await this.dispatcher.askCost(cost, signal));
      if (isOdd) this.odd.report(cost.callId, cost.provider);
      return verdict;
    } catch (error) {
      if (!this.#stop.signal.aborted)
        this.log.write('warn', 'The accounting service did not tell the cost of a call.', {
          callId: cost.callId,
          provider: cost.provider,
          error,
        });
      return pendingCost;
    }
  }
}
