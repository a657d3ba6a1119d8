import type { AdoptedVersion } from '../api/component.js';
import type { Exchange } from '../model/exchange.js';
import { version } from '../model/exchange.js';
import { WorkspaceVersion } from '../model/workspace-version.js';

/** The first and the last version of the workspace that a workflow is part of. */
export interface Lifespan {
  readonly since: WorkspaceVersion;
  /** Null for as long as no reload has replaced it. */
  until: WorkspaceVersion | null;
}

/** The versions of the workspace that one engine has run, and the one that counts for what comes now. */
export class Versions {
  #current: WorkspaceVersion;
  readonly #older = new Set<WorkspaceVersion>();

  constructor(first: WorkspaceVersion) {
    this.#current = first;
  }

  get current(): WorkspaceVersion {
    return this.#current;
  }

  next(): WorkspaceVersion {
    return new WorkspaceVersion(this.#current.number + 1);
  }

  /** From now on what comes is for this version. */
  advance(to: WorkspaceVersion): AdoptedVersion {
    this.#older.add(this.#current);
    this.#current = to;
    return this.adopted(to);
  }

  adopted(of: WorkspaceVersion): AdoptedVersion {
    const numbers = [...this.#older].map(({ number }) => number);
    return { number: of.number, oldest: Math.min(of.number, ...numbers) };
  }

  /** No workflow of it is left, so that no exchange can begin on it any more. */
  ended(before: WorkspaceVersion): void {
    for (const each of this.#older) {
      if (each.number <= before.number && each.inFlight === 0) this.#older.delete(each);
    }
  }

  /** Exchanges on their way that began on this version or an older one. */
  inFlightUpTo(last: WorkspaceVersion): number {
    let count = this.#current.number <= last.number ? this.#current.inFlight : 0;
    for (const { number, inFlight } of this.#older) if (number <= last.number) count += inFlight;
    return count;
  }

  /** The version on which an exchange begins in a workflow of this lifespan. */
  of({ since, until }: Lifespan): WorkspaceVersion {
    const current = this.#current;
    if (until !== null && current.number > until.number) return until;
    return current.number < since.number ? since : current;
  }

  /** Whether all of its workflows are still there. */
  isAlive(one: WorkspaceVersion): boolean {
    return one === this.#current || this.#older.has(one);
  }

  isWithin({ since, until }: Lifespan, exchange: Exchange | null): boolean {
    const { number } = exchange?.[version] ?? this.#current;
    return since.number <= number && (until === null || number <= until.number);
  }
}

export function overlap(a: Lifespan, b: Lifespan): boolean {
  const last = ({ until }: Lifespan): number => until?.number ?? Infinity;
  return a.since.number <= last(b) && b.since.number <= last(a);
}
