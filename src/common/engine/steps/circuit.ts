import type { Clock } from '../api/ports.js';

export interface CircuitSettings {
  /** How many of the last calls count. */
  readonly window: number;
  /** Fewer calls than these say nothing. */
  readonly minimumCalls: number;
  /** Share of failures that opens, in percent. */
  readonly failureRate: number;
  readonly openForMs: number;
  /** Calls that are let through to see whether it works again. */
  readonly trialCalls: number;
}

/** What became of a call; `neither` for one that says nothing about the other side. */
export type CallOutcome = 'ok' | 'failed' | 'neither';

/**
 * The state of a circuit breaker. Closed: calls pass and are counted. Open: none passes until the time is over. Half
 * open: some pass; they close it together, or one failure opens it again. A call that began before a change of state
 * says nothing about the new one.
 */
export class Circuit {
  #state: 'closed' | 'open' | 'half-open' = 'closed';
  #outcomes: boolean[] = [];
  #openUntil = 0;
  #trials = 0;
  #passedTrials = 0;
  #era = 0;

  constructor(
    private readonly settings: CircuitSettings,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Milliseconds until a call may pass; 0 where one may. */
  get opensIn(): number {
    return this.#state === 'open' ? Math.max(0, this.#openUntil - this.clock.now()) : 0;
  }

  /** Null where the call may not pass, else what to tell its outcome to, once. */
  admit(): ((outcome: CallOutcome) => void) | null {
    if (this.#state === 'open' && this.opensIn === 0) this.#enter('half-open');
    if (this.#state === 'open') return null;
    if (this.#state === 'half-open') {
      if (this.#trials >= this.settings.trialCalls) return null;
      this.#trials++;
    }
    const era = this.#era;
    return (outcome) => {
      if (era === this.#era) this.#learn(outcome);
    };
  }

  #learn(outcome: CallOutcome): void {
    if (this.#state === 'half-open') {
      if (outcome === 'failed') this.#enter('open');
      else if (outcome === 'neither') this.#trials--;
      else if (++this.#passedTrials >= this.settings.trialCalls) this.#enter('closed');
      return;
    }
    if (outcome === 'neither') return;
    this.#outcomes.push(outcome === 'failed');
    if (this.#outcomes.length > this.settings.window) this.#outcomes.shift();
    const { length } = this.#outcomes;
    if (length < Math.min(this.settings.minimumCalls, this.settings.window)) return;
    const failures = this.#outcomes.filter(Boolean).length;
    if ((failures * 100) / length >= this.settings.failureRate) this.#enter('open');
  }

  #enter(state: 'closed' | 'open' | 'half-open'): void {
    this.#state = state;
    this.#era++;
    this.#outcomes = [];
    this.#trials = 0;
    this.#passedTrials = 0;
    if (state === 'open') this.#openUntil = this.clock.now() + this.settings.openForMs;
  }
}
