import { abortReason, whenAborted } from '../../common/engine/api/abort.js';
import type { Clock, IdSource } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { journey, noSignal, type Exchange, type Journey } from '../../common/engine/model/exchange.js';
import type { Ticket } from './bounded-queue.js';
import type { SedaOptions } from './options.js';
import type { Subscription } from './subscription.js';

export interface Sending {
  readonly name: string;
  readonly options: SedaOptions;
  readonly clock: Clock;
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
  const tickets = readers.map((reader) => {
    const twin = detached(exchange, sending.ids.next(), 'InOnly');
    // Whoever sent it may leave: the work goes on without.
    twin.signal = noSignal;
    return reader.enter({ exchange: twin, done: nobodyWaits }, sending.options['block-when-full']);
  });
  const admissions = tickets.flatMap(({ admitted }) => admitted ?? []);
  if (admissions.length > 0) return within(exchange, sending, tickets, Promise.all(admissions));
}

async function callThrough(
  exchange: Exchange,
  readers: readonly Subscription[],
  sending: Sending,
): Promise<void> {
  const mine = exchange[journey];
  const twins: Exchange[] = [];
  const tickets: Ticket[] = [];
  const done = readers.map(
    (reader) =>
      new Promise<void>((resolve) => {
        const twin = detached(exchange, sending.ids.next(), 'InOut');
        twins.push(twin);
        tickets.push(reader.enter({ exchange: twin, done: resolve }, sending.options['block-when-full']));
      }),
  );
  await within(exchange, sending, tickets, Promise.all(done));
  bringBack(exchange, mine, twins);
}

/** A copy that begins a journey of its own: it is counted among those on their way. */
function detached(exchange: Exchange, id: string, pattern: Exchange['pattern']): Exchange {
  const twin = exchange.copy(id, pattern);
  twin[journey] = null;
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

/** Waits for the goal; who gives up takes back what nobody has begun. */
async function within(
  exchange: Exchange,
  { name, options: { timeout }, clock }: Sending,
  tickets: readonly Ticket[],
  goal: Promise<unknown>,
): Promise<void> {
  const releases: (() => void)[] = [];
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = (why: (isBegun: boolean) => HelixError): void => {
      const begun = tickets.filter((ticket) => !ticket.takeBack());
      reject(why(begun.length > 0));
    };
    if (timeout > 0) {
      releases.push(clock.schedule(timeout, () => giveUp((isBegun) => late(name, timeout, isBegun))));
    }
    releases.push(whenAborted(exchange.signal, () => giveUp(() => abortReason(exchange.signal))));
  });
  try {
    await Promise.race([goal, givenUp]);
  } finally {
    for (const release of releases) release();
  }
}

function late(name: string, timeout: number, isBegun: boolean): HelixError {
  return new HelixError(
    'ENGINE.TIMED_OUT',
    isBegun
      ? `seda://${name} gave no result within ${timeout} ms; the message is begun and runs on.`
      : `seda://${name} did not come to the message within ${timeout} ms; it was taken back.`,
    { details: { name, begun: isBegun } },
  );
}
