import type { Exchange } from '../model/exchange.js';
import type { Route } from './component.js';

/** Who listens on a name: in each version of the workspace one. */
export class Listeners<T extends { readonly route: Route }> {
  readonly #byName = new Map<string, readonly T[]>();

  /** Who listens in the exchange's version of the workspace; for null, who listens now. */
  find(name: string, exchange: Exchange | null): T | undefined {
    const all = this.#byName.get(name);
    if (all === undefined) return undefined;
    for (const listener of all) if (listener.route.serves(exchange)) return listener;
    return undefined;
  }

  /** Another listener of the same version, which leaves no room for this one. */
  rival(name: string, route: Route): T | undefined {
    return this.#byName.get(name)?.find((other) => other.route.coexistsWith(route));
  }

  add(name: string, listener: T): void {
    this.#byName.set(name, [listener, ...(this.#byName.get(name) ?? [])]);
  }

  remove(name: string, listener: T): void {
    const left = (this.#byName.get(name) ?? []).filter((other) => other !== listener);
    if (left.length > 0) this.#byName.set(name, left);
    else this.#byName.delete(name);
  }
}
