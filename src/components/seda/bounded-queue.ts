import { HelixError } from '../../common/engine/errors/helix-error.js';
import { LinkedList, type Linked } from '../../common/engine/model/linked-list.js';

/** A message's place: in line before the queue, in the queue, or out of both. */
export class Ticket<T> implements Linked<Ticket<T>> {
  where: 'line' | 'queue' | 'out' = 'out';
  before: Ticket<T> | null = null;
  after: Ticket<T> | null = null;

  constructor(
    private readonly queue: BoundedQueue<T>,
    readonly value: T,
    /** Called when the message comes from the line into the queue; not where it is there from the start. */
    readonly onAdmitted: (() => void) | null,
  ) {}

  get isInLine(): boolean {
    return this.where === 'line';
  }

  /** Takes the message back. False where it is already begun or taken back: it runs on then. */
  takeBack(): boolean {
    return this.queue.giveBack(this);
  }
}

/** A queue of at most so many; who finds it full may stand in line before it. */
export class BoundedQueue<T> {
  readonly #queue = new LinkedList<Ticket<T>>();
  readonly #line = new LinkedList<Ticket<T>>();

  constructor(public capacity: number) {}

  /** Messages accepted and not begun, those in line before the queue included. */
  get size(): number {
    return this.#queue.size + this.#line.size;
  }

  get isFull(): boolean {
    return this.#queue.size >= this.capacity;
  }

  /** Where the queue is full the ticket is in line. */
  enter(value: T, onAdmitted: (() => void) | null): Ticket<T> {
    const ticket = new Ticket(this, value, onAdmitted);
    ticket.where = this.isFull ? 'line' : 'queue';
    (ticket.where === 'line' ? this.#line : this.#queue).append(ticket);
    return ticket;
  }

  /** The oldest message; undefined where there is none. It can no longer be taken back. */
  take(): T | undefined {
    const ticket = this.#queue.first;
    if (ticket === null) return undefined;
    this.#queue.remove(ticket);
    ticket.where = 'out';
    this.#letIn();
    return ticket.value;
  }

  giveBack(ticket: Ticket<T>): boolean {
    if (ticket.where === 'out') return false;
    (ticket.where === 'queue' ? this.#queue : this.#line).remove(ticket);
    ticket.where = 'out';
    this.#letIn();
    return true;
  }

  #letIn(): void {
    const next = this.#line.first;
    if (next === null || this.isFull) return;
    this.#line.remove(next);
    next.where = 'queue';
    this.#queue.append(next);
    next.onAdmitted?.();
  }
}

export function overloaded(name: string, capacity: number): HelixError {
  return new HelixError(
    'ENGINE.OVERLOADED',
    `The queue seda://${name} holds ${capacity} messages and takes no more: try again later.`,
    { details: { name, size: capacity } },
  );
}
