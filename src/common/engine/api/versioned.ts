import { version, type Exchange } from '../model/exchange.js';
import type { AdoptedVersion } from './component.js';

interface State<T> {
  readonly since: number;
  readonly value: T;
}

/** What a component took over from the workspace, for each version that exchanges may still be on. */
export class Versioned<T> {
  /** Newest first; the last one stands for every older version. */
  #states: readonly State<T>[];

  constructor(initial: T) {
    this.#states = [{ since: 0, value: initial }];
  }

  get newest(): T {
    return this.#states[0]!.value;
  }

  /** As the exchange's version of the workspace has it. */
  of(exchange: Exchange): T {
    const number = exchange[version]?.number ?? Infinity;
    return this.#states.find(({ since }) => since <= number)?.value ?? this.#states.at(-1)!.value;
  }

  adopt(value: T, { number, oldest }: AdoptedVersion): void {
    const states = [{ since: number, value }, ...this.#states.filter(({ since }) => since < number)];
    const last = states.findIndex(({ since }) => since <= oldest);
    this.#states = last < 0 ? states : states.slice(0, last + 1);
  }
}
