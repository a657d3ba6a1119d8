/**
 * A value of its own: no change to the copy shows in the original. Plain data is copied deeply; instances that carry
 * {@link immutable} are shared, since nobody can change them.
 */
export const immutable: unique symbol = Symbol.for('helix.immutable');

export function isolate<T>(value: T): T {
  // Most bodies and properties that are handed over are text or null: they cost nothing.
  if (typeof value !== 'object' || value === null) return value;
  return copy(value, new Twins()) as T;
}

/** Up to here a search through a list is quicker than a map is made. */
const FEW = 8;

/** What was copied already, so that what stands in two places, or in itself, does so in the copy. */
class Twins {
  /** Original and twin in turns. */
  readonly #pairs: unknown[] = [];
  #map: Map<object, unknown> | null = null;

  of(original: object): unknown {
    if (this.#map !== null) return this.#map.get(original);
    const pairs = this.#pairs;
    for (let at = 0; at < pairs.length; at += 2) if (pairs[at] === original) return pairs[at + 1];
    return undefined;
  }

  set(original: object, twin: unknown): void {
    if (this.#map !== null) {
      this.#map.set(original, twin);
      return;
    }
    const pairs = this.#pairs;
    pairs.push(original, twin);
    if (pairs.length <= 2 * FEW) return;
    this.#map = new Map();
    for (let at = 0; at < pairs.length; at += 2) this.#map.set(pairs[at] as object, pairs[at + 1]);
  }
}

function copy(value: unknown, seen: Twins): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.of(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const twin: unknown[] = [...(value as unknown[])];
    seen.set(value, twin);
    for (let at = 0; at < twin.length; at++) {
      const item = twin[at];
      if (typeof item === 'object' && item !== null) twin[at] = copy(item, seen);
    }
    return twin;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    const twin: Record<string, unknown> = {};
    seen.set(value, twin);
    for (const key of Object.keys(value)) {
      const own = copy((value as Record<string, unknown>)[key], seen);
      if (key === '__proto__') defineOwn(twin, key, own);
      else twin[key] = own;
    }
    return twin;
  }
  if (value instanceof Date) return new Date(value);
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  if (value instanceof Uint8Array) return value.slice();
  if (value instanceof Map) {
    const twin = new Map<unknown, unknown>();
    seen.set(value, twin);
    for (const [key, item] of value) twin.set(copy(key, seen), copy(item, seen));
    return twin;
  }
  if (value instanceof Set) return new Set([...value].map((item) => copy(item, seen)));
  if (immutable in value) return value;
  throw new TypeError(
    `A ${value.constructor?.name ?? 'foreign object'} cannot be handed to another branch: put plain data into the message.`,
  );
}

/** A member of that name is data like any other; setting it would give the object another prototype. */
function defineOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
