import type { Clock } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';

/**
 * Where `helix.session.state` lives between the calls of a session. Keys are `principal:id`, so that nobody reaches
 * another's state by knowing an id. States are JSON text.
 */
export interface SessionShelf {
  /** Undefined where nothing is kept, or no longer. */
  load(key: string): string | undefined | Promise<string | undefined>;
  /** @throws HelixError with a sentence for the caller where the state cannot be kept */
  save(key: string, state: string): void | Promise<void>;
}

export interface SessionLimits {
  /** Characters of one state's JSON. */
  readonly stateSize: number;
  /** How many states are kept; the one unused for longest gives way. */
  readonly count: number;
  /** Characters of all states together. */
  readonly totalSize: number;
  /** Milliseconds a state is kept after its last use. */
  readonly idleMs: number;
}

export const sessionLimits: SessionLimits = {
  stateSize: 262_144,
  count: 10_000,
  totalSize: 67_108_864,
  idleMs: 24 * 3_600_000,
};

/** States in this process: gone after a restart, not shared with other nodes. */
export class MemorySessionShelf implements SessionShelf {
  readonly #states = new Map<string, { readonly state: string; readonly until: number }>();
  #totalSize = 0;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly limits: SessionLimits = sessionLimits,
  ) {}

  get size(): number {
    return this.#states.size;
  }

  load(key: string): string | undefined {
    const kept = this.#states.get(key);
    if (kept === undefined) return undefined;
    if (kept.until > this.clock.now()) return kept.state;
    this.#drop(key, kept.state);
    return undefined;
  }

  save(key: string, state: string): void {
    if (state.length > this.limits.stateSize) throw stateTooLarge(state.length, this.limits.stateSize);
    const former = this.#states.get(key);
    if (former) this.#drop(key, former.state);
    this.#states.set(key, { state, until: this.clock.now() + this.limits.idleMs });
    this.#totalSize += state.length;
    this.#dropStale();
  }

  /** The map is ordered by last use, so what is stale stands first. */
  #dropStale(): void {
    const now = this.clock.now();
    for (const [key, { state, until }] of this.#states) {
      const isFull = this.#states.size > this.limits.count || this.#totalSize > this.limits.totalSize;
      if (until > now && !isFull) return;
      this.#drop(key, state);
    }
  }

  #drop(key: string, state: string): void {
    this.#states.delete(key);
    this.#totalSize -= state.length;
  }
}

export function stateTooLarge(size: number, allowed: number): HelixError {
  return new HelixError(
    'TOOL.RULE_VIOLATED',
    `The session's state grew to ${size} characters, and ${allowed} are allowed: the state before this call is kept.`,
  );
}
