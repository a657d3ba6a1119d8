import type { Route } from '../../common/engine/api/component.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { BoundedQueue, overloaded, type Ticket } from './bounded-queue.js';
import type { SedaOptions } from './options.js';

/** A message in the queue, and who is told when it is done. */
export interface Parcel {
  readonly exchange: Exchange;
  readonly done: () => void;
}

/** Messages begun in one turn of the event loop, so that a long queue keeps nothing else waiting. */
const perTurn = 64;

/** The queue of one workflow and those who work on it. It outlives a restart of the workflow. */
export class Subscription {
  readonly #queue: BoundedQueue<Parcel>;
  /** Who reads: of two versions of a workflow at most one each. */
  #routes: readonly Route[] = [];
  #last: readonly Route[] = [];
  #workers: number;
  #running = 0;
  #isDue = false;
  /** How many more this turn may begin. */
  #left = 0;

  constructor(
    private readonly name: string,
    options: SedaOptions,
  ) {
    this.#queue = new BoundedQueue(options.size);
    this.#workers = options['concurrent-consumers'];
  }

  get backlog(): number {
    return this.#queue.size;
  }

  get isFull(): boolean {
    return this.#queue.isFull;
  }

  /** @throws HelixError `ENGINE.OVERLOADED` */
  refuseWhenFull(): void {
    if (this.isFull) throw overloaded(this.name, this.#queue.capacity);
  }

  /** Where the queue is full the parcel stands in line; `onAdmitted` is called when it has come into the queue. */
  enter(parcel: Parcel, onAdmitted: (() => void) | null = null): Ticket<Parcel> {
    const ticket = this.#queue.enter(parcel, onAdmitted);
    this.#wake();
    return ticket;
  }

  open(route: Route, options: SedaOptions): void {
    this.#routes = [...this.#routes.filter((other) => other !== route), route];
    this.#last = this.#routes;
    this.#queue.capacity = options.size;
    this.#workers = options['concurrent-consumers'];
    this.#wake();
  }

  /** This reader begins no more messages; those in the queue stay there. */
  pause(route: Route): void {
    this.#routes = this.#routes.filter((other) => other !== route);
    this.#wake();
  }

  /** Nobody begins a message any more. */
  pauseAll(): void {
    this.#routes = [];
  }

  get isOpen(): boolean {
    return this.#routes.length > 0;
  }

  /** Who begins the next message: the reader of the version that counts, else the one that empties the queue. */
  get reader(): Route | null {
    const routes = this.#routes;
    if (routes.length < 2) return routes[0] ?? null;
    return routes.find((each) => each.serves(null)) ?? routes[0] ?? null;
  }

  /** Whether a message that is sent by the exchange is for this queue: by what counts now, else by its own version. */
  takes(exchange: Exchange): boolean {
    const readers = this.#readers;
    for (const each of readers) if (each.serves(null) || each.serves(exchange)) return true;
    return false;
  }

  isOfSameVersion(route: Route): boolean {
    return this.#readers.some((each) => each.coexistsWith(route));
  }

  /** Those who read, or who did until they were stopped and may come back. */
  get #readers(): readonly Route[] {
    return this.#routes.length > 0 ? this.#routes : this.#last;
  }

  /** Everything that was never begun. */
  *empty(): Generator<Parcel> {
    for (let parcel = this.#queue.take(); parcel !== undefined; parcel = this.#queue.take()) yield parcel;
  }

  /** A sender goes on before its message is begun, always: it must not matter whether a worker is free. */
  #wake(): void {
    if (this.#isDue || this.#routes.length === 0 || this.#running >= this.#workers || this.#queue.size === 0)
      return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#left = perTurn;
      this.#work();
    });
  }

  #work(): void {
    while (this.#left > 0 && this.#running < this.#workers) {
      const { reader } = this;
      if (reader === null) return;
      const parcel = this.#queue.take();
      if (parcel === undefined) return;
      this.#left--;
      const pending = reader.pass(parcel.exchange);
      if (pending === undefined) parcel.done();
      else {
        this.#running++;
        // It never rejects: what fails stands on the exchange.
        void pending.then(() => this.#goOn(parcel));
      }
    }
    this.#wake();
  }

  #goOn(parcel: Parcel): void {
    this.#running--;
    parcel.done();
    // In the same turn, as long as it has not had its share.
    if (!this.#isDue) this.#work();
  }
}
