import { budgetFault } from '../errors/fault.js';
import { CELL, DEFAULT_LIMITS, type Limits } from '../limits.js';
import type { RunEnv } from '../api.js';

const CLOCK_EVERY = 1024;
/**
 * Room is given out in parts of this size. Counters that stay below 2^30 are kept inside the machine by V8; one
 * that was once larger, or infinite, would make every new machine allocate each of its counters.
 */
const PART = 2 ** 30;

/**
 * The run that is going on. Evaluation is synchronous, so one is enough; a run inside a run (a host
 * function that runs a script) saves and restores it.
 */
export class Machine {
  /** Steps until the clock is looked at. */
  tick = CLOCK_EVERY;
  depth = 0;
  /** Of the memory limit, what is left of the parts given out. */
  room: number;
  /** The long text that was walked last: walking it again needs no more room. */
  flat = '';
  private parts = 1;
  /** Steps made, those since the last look at the clock left out. */
  private spent = 0;
  /** Whole milliseconds; set when the clock is first looked at, for most runs are over before. */
  private deadline = 0;

  constructor(
    readonly limits: Limits = DEFAULT_LIMITS,
    readonly env: RunEnv = {},
  ) {
    this.room = Math.min(limits.memory, PART);
  }

  /** Steps made so far. */
  get used(): number {
    return this.spent + CLOCK_EVERY - this.tick;
  }

  /** Called when `tick` runs out. */
  check(): void {
    this.spent = this.used;
    this.tick = CLOCK_EVERY;
    if (this.spent > this.limits.steps)
      throw budgetFault(`The script used more than ${this.limits.steps} steps`, 'it may loop without end');
    this.look();
  }

  /** Looks at the clock. */
  look(): void {
    const { timeMs } = this.limits;
    if (timeMs === Number.POSITIVE_INFINITY) return;
    const now = performance.now();
    if (this.deadline === 0) this.deadline = Math.ceil(now + timeMs);
    else if (now > this.deadline) throw budgetFault(`The script ran longer than ${timeMs} ms`);
  }

  /** Called when `room` runs out: gives the next part of the limit, or ends the run. */
  full(): void {
    while (this.room < 0 && this.parts * PART < this.limits.memory)
      this.room += Math.min(PART, this.limits.memory - this.parts++ * PART);
    if (this.room >= 0) return;
    throw budgetFault(
      `The script made more than ${this.limits.memory} characters and cells`,
      'make smaller texts and lists, or fewer of them',
    );
  }
}

/** Outside of runs nothing ends: what the host does with values is its own. */
const IDLE: Limits = {
  ...DEFAULT_LIMITS,
  steps: Number.POSITIVE_INFINITY,
  timeMs: Number.POSITIVE_INFINITY,
  memory: Number.POSITIVE_INFINITY,
};

export let machine = new Machine(IDLE);

/** Runs what follows under `next`. @returns the machine of before, for {@link end} */
export function begin(next: Machine): Machine {
  const before = machine;
  machine = next;
  return before;
}

/** Puts the machine of before back. */
export function end(before: Machine): void {
  machine = before;
}

/** Runs `body` under `next` and puts the machine of before back. */
export function withMachine<T>(next: Machine, body: () => T): T {
  const before = begin(next);
  try {
    return body();
  } finally {
    end(before);
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

/** Work of this size looks at the clock: a few of them take longer than all steps in between. */
const LARGE = 1 << 17;
/** Texts up to here are counted whole whenever they are made. */
const SHORT = 1024;
/** What a text takes beside its characters. */
const TEXT = 32;

/** Counts what is made against the memory limit. */
export function charge(units: number): void {
  if ((machine.room -= units) < 0) machine.full();
  if (units > LARGE) machine.look();
}

/** Counts the cells of a collection that is made. */
export function cells(count: number): void {
  charge(count * CELL);
}

/**
 * Before texts are joined: refuses the sum when it is too long and counts it. V8 keeps a long joined text as
 * its parts, so only what comes to the longest part is new until somebody walks it, see {@link walk}.
 */
export function join(length: number, longest: number): void {
  if (length > machine.limits.textLength) checkTextLength(length);
  charge((length <= SHORT ? length : length - longest) + TEXT);
}

/** Before a text is walked, which gives a joined one its own characters. */
export function walk(text: string): void {
  if (text.length > SHORT) walkLong(text);
}

function walkLong(text: string): void {
  // Of the same length only the same text may be compared for nothing.
  if (text.length === machine.flat.length && text === machine.flat) return;
  charge(text.length);
  machine.flat = text;
}

/** As `===`, with the walk that comparing texts is. */
export function same(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && a.length > SHORT && typeof b === 'string' && a.length === b.length) {
    walk(a);
    walk(b);
  }
  return a === b;
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
