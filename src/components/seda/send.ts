import { abortReason, whenAborted } from '../../common/engine/api/abort.js';
import type { IdSource } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import {
  journey,
  noSignal,
  version,
  type Exchange,
  type Journey,
} from '../../common/engine/model/exchange.js';
import type { Ticket } from './bounded-queue.js';
import type { SedaOptions } from './options.js';
import type { Patience } from './patience.js';
import type { Parcel, Subscription } from './subscription.js';

export interface Sending {
  readonly name: string;
  readonly options: SedaOptions;
  readonly patience: Patience;
  readonly ids: IdSource;
}

const nobodyWaits = (): void => undefined;

/**
 * Puts a copy into the queue of every reader. Without waiting that is all, and costs no turn of the event loop; with it,
 * body and headers of the one reader's result come back, of several readers none does.
 * @throws HelixError `ENGINE.OVERLOADED`, `ENGINE.TIMED_OUT`, or what failed in the reading workflow
 */
export function send(
  exchange: Exchange,
  readers: readonly Subscription[],
  sending: Sending,
): void | Promise<void> {
  const { wait, 'block-when-full': isPatient } = sending.options;
  if (!isPatient) for (const reader of readers) reader.refuseWhenFull();
  const waits = wait === 'always' || (wait === 'if-reply-expected' && exchange.pattern === 'InOut');
  return waits ? callThrough(exchange, readers, sending) : handIn(exchange, readers, sending);
}

function handIn(
  exchange: Exchange,
  readers: readonly Subscription[],
  sending: Sending,
): void | Promise<void> {
  let errand: Errand | null = null;
  for (const reader of readers) {
    const twin = detached(exchange, sending.ids.next(), 'InOnly');
    // Whoever sent it may leave: the work goes on without.
    twin.cancellation = noSignal;
    const parcel = { exchange: twin, done: nobodyWaits };
    if (!reader.isFull) reader.enter(parcel);
    else (errand ??= new Errand(exchange, sending)).standInLine(reader, parcel);
  }
  return errand?.finished();
}

async function callThrough(
  exchange: Exchange,
  readers: readonly Subscription[],
  sending: Sending,
): Promise<void> {
  const mine = exchange[journey];
  const errand = new Errand(exchange, sending);
  const twins = readers.map((reader) => {
    const twin = detached(exchange, sending.ids.next(), 'InOut');
    errand.order(reader, twin);
    return twin;
  });
  await errand.finished();
  bringBack(exchange, mine, twins);
}

/** A copy that begins a journey of its own, on the version that counts when it is begun; it is counted among those on their way. */
function detached(exchange: Exchange, id: string, pattern: Exchange['pattern']): Exchange {
  const twin = exchange.copy(id, pattern);
  twin[journey] = null;
  twin[version] = null;
  return twin;
}

function bringBack(exchange: Exchange, mine: Journey | null, twins: readonly Exchange[]): void {
  for (const twin of twins) {
    const failure = twin.takeFailure();
    if (failure !== null) throw failure;
  }
  const [reply] = twins;
  // Another mark: the sender was given up meanwhile, and the exchange is on another way.
  if (reply !== undefined && twins.length === 1 && exchange[journey] === mine) exchange.in = reply.in;
}

/** A sender who waits: for places in queues, or for results. Who gives up takes back what nobody has begun. */
class Errand {
  readonly #tickets: Ticket<Parcel>[] = [];
  #open = 0;
  #resolve: () => void = nobodyWaits;
  readonly #tick = (): void => {
    if (--this.#open === 0) this.#resolve();
  };

  constructor(
    private readonly exchange: Exchange,
    private readonly sending: Sending,
  ) {}

  /** Waits until the parcel has a place in the reader's full queue. */
  standInLine(reader: Subscription, parcel: Parcel): void {
    this.#open++;
    this.#tickets.push(reader.enter(parcel, this.#tick));
  }

  /** Waits until the reader is done with the exchange. */
  order(reader: Subscription, exchange: Exchange): void {
    this.#open++;
    this.#tickets.push(reader.enter({ exchange, done: this.#tick }));
  }

  /** Resolves when all is done; rejects when the time is over or the sender is aborted. Never done on entering. */
  finished(): Promise<void> {
    const { cancellation } = this.exchange;
    return new Promise<void>((resolve, reject) => {
      let endWait = nobodyWaits;
      let forget = nobodyWaits;
      this.#resolve = () => {
        endWait();
        forget();
        resolve();
      };
      const giveUp = (why: (isBegun: boolean) => HelixError): void => {
        endWait();
        forget();
        const begun = this.#tickets.filter((ticket) => !ticket.takeBack());
        reject(why(begun.length > 0));
      };
      endWait = this.sending.patience.wait(() => giveUp((isBegun) => late(this.sending, isBegun)));
      forget = whenAborted(cancellation, () => giveUp(() => abortReason(cancellation)));
    });
  }
}

function late({ name, options: { timeout } }: Sending, isBegun: boolean): HelixError {
  return new HelixError(
    'ENGINE.TIMED_OUT',
    isBegun
      ? `seda://${name} gave no result within ${timeout} ms; the message is begun and runs on.`
      : `seda://${name} did not come to the message within ${timeout} ms; it was taken back.`,
    { details: { name, begun: isBegun } },
  );
}
