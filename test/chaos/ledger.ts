import { Interceptor, type StepInfo } from '../../src/common/engine/api/interceptor.js';
import type { Exchange } from '../../src/common/engine/model/exchange.js';

const gaveUp = new Set(['ENGINE.CANCELLED', 'ENGINE.TIMED_OUT', 'ENGINE.STOPPING']);

const inOrder = (all: readonly number[]): string => all.toSorted((a, b) => a - b).join();

/** What was begun and what became of it. In the end nothing may be missing and nothing may be there twice. */
export class Ledger extends Interceptor {
  readonly name = 'ledger';
  override readonly scope = 'step';
  readonly outcomes = { started: 0, completed: 0, failed: 0, aborted: 0 };
  readonly steps = { begun: 0, ended: 0 };
  readonly clients = { sent: 0, answered: 0, left: 0 };
  /** Messages that a queue took, and those that came out of it. */
  readonly accepted: number[] = [];
  readonly worked: number[] = [];
  restarts = 0;
  reloads = 0;
  /** Exchanges that saw the steps of two versions. */
  mixed = 0;

  intercept(_exchange: Exchange, _step: StepInfo, next: () => void | Promise<void>): void | Promise<void> {
    this.steps.begun++;
    const end = (): void => void this.steps.ended++;
    let pending: void | Promise<void>;
    try {
      pending = next();
    } catch (thrown) {
      end();
      throw thrown;
    }
    if (pending === undefined) end();
    else return pending.finally(end);
  }

  close({ failure }: Exchange): void {
    if (failure === null) this.outcomes.completed++;
    else if (gaveUp.has(failure.code)) this.outcomes.aborted++;
    else this.outcomes.failed++;
  }

  /** What does not add up; empty where all does. */
  gaps(): string[] {
    const { started, completed, failed, aborted } = this.outcomes;
    const { sent, answered, left } = this.clients;
    return [
      ...(started === completed + failed + aborted ? [] : [`exchanges ${JSON.stringify(this.outcomes)}`]),
      ...(this.steps.begun === this.steps.ended ? [] : [`steps ${JSON.stringify(this.steps)}`]),
      ...(sent === answered + left ? [] : [`clients ${JSON.stringify(this.clients)}`]),
      ...(inOrder(this.accepted) === inOrder(this.worked)
        ? []
        : [`${this.accepted.length} messages accepted, ${this.worked.length} worked on`]),
      ...(this.mixed === 0 ? [] : [`${this.mixed} exchanges of two versions`]),
    ];
  }
}
