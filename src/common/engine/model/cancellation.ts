import { HelixError } from '../errors/helix-error.js';
import { LinkedList, type Linked } from './linked-list.js';

/** Something that may have been called off. */
export interface Abortable {
  readonly aborted: boolean;
  readonly reason: unknown;
}

/** Why it was aborted, as an error of the table: `ENGINE.CANCELLED` unless the reason says otherwise. */
export function abortReason({ reason }: Abortable): HelixError {
  if (reason instanceof HelixError) return reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new HelixError('ENGINE.TIMED_OUT', 'The work took longer than its time-out allows.', {
      cause: reason,
    });
  }
  return new HelixError('ENGINE.CANCELLED', 'The caller went away before the work was done.', {
    cause: reason,
  });
}

/** Who waits for an abort. */
class Follower implements Linked<Follower> {
  before: Follower | null = null;
  after: Follower | null = null;
  isIn = true;

  constructor(readonly task: () => void) {}
}

class Followers {
  readonly #list = new LinkedList<Follower>();

  add(task: () => void): () => void {
    const follower = new Follower(task);
    this.#list.append(follower);
    return () => this.#remove(follower);
  }

  /** Calls each once, in the order in which they came. */
  callAll(): void {
    for (let { first } = this.#list; first !== null; { first } = this.#list) {
      this.#remove(first);
      first.task();
    }
  }

  #remove(follower: Follower): void {
    if (!follower.isIn) return;
    follower.isIn = false;
    this.#list.remove(follower);
  }
}

/** Those who wait for a signal; the signal itself carries one listener, however many they are. */
const waiting = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `task` once when `source` is aborted; the returned function takes it back. A signal shared by thousands of
 * exchanges costs none of them a search.
 */
export function whenAborted(source: AbortSignal | Cancellation, task: () => void): () => void {
  if (source.aborted) {
    task();
    return nothing;
  }
  return (source instanceof Cancellation ? source.followers() : followersOf(source)).add(task);
}

const nothing = (): void => undefined;

function followersOf(signal: AbortSignal): Followers {
  let followers = waiting.get(signal);
  if (followers === undefined) {
    const made = new Followers();
    waiting.set(signal, (followers = made));
    signal.addEventListener('abort', () => made.callAll(), { once: true });
  }
  return followers;
}

/**
 * What an AbortController with its signal does, at the price of a small object: the signal is made when somebody asks for
 * it, and what it follows is listened to only while somebody waits. Most exchanges end without either.
 */
export class Cancellation implements Abortable {
  #isAborted = false;
  #reason: unknown;
  #followers: Followers | null = null;
  #controller: AbortController | null = null;
  #stopFollowing: (() => void)[] | null = null;
  #isReleased = false;

  /** @param sources it follows: the first of them that is aborted aborts it, for the same reason */
  constructor(private readonly sources: readonly (AbortSignal | Cancellation)[] = []) {}

  get aborted(): boolean {
    if (this.#isAborted) return true;
    for (const source of this.sources) {
      if (!source.aborted) continue;
      this.abort(abortReason(source));
      return true;
    }
    return false;
  }

  get reason(): unknown {
    return this.aborted ? this.#reason : undefined;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.#reason);
      else this.#follow();
    }
    return this.#controller.signal;
  }

  /** The first reason stays. */
  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.release();
    this.#controller?.abort(reason);
    this.#followers?.callAll();
  }

  /** Stops following what it follows: call it when nobody is interested any more. */
  release(): void {
    this.#isReleased = true;
    if (this.#stopFollowing === null) return;
    for (const stop of this.#stopFollowing) stop();
    this.#stopFollowing = null;
  }

  /** Those to call; for {@link whenAborted}. */
  followers(): Followers {
    this.#follow();
    return (this.#followers ??= new Followers());
  }

  #follow(): void {
    if (this.#isReleased) return;
    this.#stopFollowing ??= this.sources.map((source) =>
      whenAborted(source, () => this.abort(abortReason(source))),
    );
  }
}
