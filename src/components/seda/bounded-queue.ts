import { HelixError } from '../../common/engine/errors/helix-error.js';

/** A place in the queue. */
export interface Ticket {
  /** Takes the message back. False where it is already begun or taken back: it runs on then. */
  takeBack(): boolean;
  /** Resolves when the message is in the queue; null where it is from the start. */
  readonly admitted: Promise<void> | null;
}

interface Item<T> extends Ticket {
  readonly value: T;
  where: 'line' | 'queue' | 'out';
  admit: (() => void) | null;
  before: Item<T> | null;
  after: Item<T> | null;
}

/** First in, first out, and any item can leave without a search. */
class Line<T> {
  first: Item<T> | null = null;
  #last: Item<T> | null = null;
  size = 0;

  append(item: Item<T>): void {
    item.before = this.#last;
    item.after = null;
    if (this.#last === null) this.first = item;
    else this.#last.after = item;
    this.#last = item;
    this.size++;
  }

  remove(item: Item<T>): void {
    if (item.before === null) this.first = item.after;
    else item.before.after = item.after;
    if (item.after === null) this.#last = item.before;
    else item.after.before = item.before;
    this.size--;
  }
}

/** A queue of at most so many; who finds it full may stand in line before it. */
export class BoundedQueue<T> {
  readonly #queue = new Line<T>();
  readonly #line = new Line<T>();

  constructor(public capacity: number) {}

  /** Messages accepted and not begun, those in line before the queue included. */
  get size(): number {
    return this.#queue.size + this.#line.size;
  }

  get isFull(): boolean {
    return this.#queue.size >= this.capacity;
  }

  /** @throws HelixError `ENGINE.OVERLOADED` where the queue is full and `isPatient` is false */
  enter(value: T, isPatient: boolean, name: string): Ticket {
    if (!this.isFull) {
      const item = this.#item(value, 'queue', null);
      this.#queue.append(item);
      return item;
    }
    if (!isPatient) throw overloaded(name, this.capacity);
    let admit: (() => void) | null = null;
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const item = this.#item(value, 'line', admitted);
    item.admit = admit;
    this.#line.append(item);
    return item;
  }

  /** The oldest message; undefined where there is none. It can no longer be taken back. */
  take(): T | undefined {
    const item = this.#queue.first;
    if (item === null) return undefined;
    this.#queue.remove(item);
    item.where = 'out';
    this.#letIn();
    return item.value;
  }

  #item(value: T, where: 'line' | 'queue', admitted: Promise<void> | null): Item<T> {
    const item: Item<T> = {
      value,
      where,
      admitted,
      admit: null,
      before: null,
      after: null,
      takeBack: () => this.#takeBack(item),
    };
    return item;
  }

  #takeBack(item: Item<T>): boolean {
    if (item.where === 'out') return false;
    (item.where === 'queue' ? this.#queue : this.#line).remove(item);
    item.where = 'out';
    this.#letIn();
    return true;
  }

  #letIn(): void {
    const next = this.#line.first;
    if (next === null || this.isFull) return;
    this.#line.remove(next);
    next.where = 'queue';
    this.#queue.append(next);
    next.admit?.();
  }
}

export function overloaded(name: string, capacity: number): HelixError {
  return new HelixError(
    'ENGINE.OVERLOADED',
    `The queue seda://${name} holds ${capacity} messages and takes no more: try again later.`,
    { details: { name, size: capacity } },
  );
}
