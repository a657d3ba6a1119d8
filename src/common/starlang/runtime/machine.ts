import { budgetFault } from '../errors/fault.js';
import { DEFAULT_LIMITS, type Limits } from '../limits.js';
import type { RunEnv } from '../api.js';

const CLOCK_EVERY = 1024;

/**
 * The run that is going on. Evaluation is synchronous, so one is enough; a run inside a run (a host
 * function that runs a script) saves and restores it.
 */
export class Machine {
  /** Steps until the clock is looked at. */
  tick = CLOCK_EVERY;
  depth = 0;
  private left: number;
  /** Set when the clock is first looked at: most runs are over before. */
  private deadline = 0;

  constructor(
    readonly limits: Limits = DEFAULT_LIMITS,
    readonly env: RunEnv = {},
  ) {
    this.left = limits.steps;
  }

  /** Called when `tick` runs out. */
  check(): void {
    const used = CLOCK_EVERY - this.tick;
    this.tick = CLOCK_EVERY;
    this.left -= used;
    if (this.left < 0)
      throw budgetFault(`The script used more than ${this.limits.steps} steps`, 'it may loop without end');
    const now = performance.now();
    if (this.deadline === 0) this.deadline = now + this.limits.timeMs;
    else if (now > this.deadline)
      throw budgetFault(`The script ran longer than ${this.limits.timeMs} ms`);
  }
}

export let machine = new Machine();

/** Runs `body` under `next` and puts the machine of before back. */
export function withMachine<T>(next: Machine, body: () => T): T {
  const before = machine;
  machine = next;
  try {
    return body();
  } finally {
    machine = before;
  }
}

/** One unit of work: a lambda entry, a loop turn, a visited node. */
export function step(): void {
  if (--machine.tick < 0) machine.check();
}

/** Many units at once, before a loop that the runtime does itself. */
export function steps(count: number): void {
  machine.tick -= count;
  if (machine.tick < 0) machine.check();
}

export function enter(): void {
  if (--machine.tick < 0) machine.check();
  deeper();
}

/** One more call that is going on. */
export function deeper(): void {
  if (++machine.depth > machine.limits.depth) {
    throw budgetFault(
      `Calls are nested deeper than ${machine.limits.depth}`,
      'does the recursion have an end?',
    );
  }
}

export function leave(): void {
  machine.depth--;
}

/** Refuses a text that would grow too long, before it is made. */
export function checkTextLength(length: number): void {
  if (length > machine.limits.textLength)
    throw budgetFault(`A text of ${length} characters is longer than ${machine.limits.textLength}`);
}

/** Refuses a collection that would grow too large, before it is made; its items cost steps. */
export function checkCollectionSize(size: number): void {
  if (size > machine.limits.collectionSize)
    throw budgetFault(`A collection of ${size} items is larger than ${machine.limits.collectionSize}`);
}
