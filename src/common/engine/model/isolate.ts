/**
 * A value of its own: no change to the copy shows in the original. Plain data is copied deeply; instances that carry
 * {@link immutable} are shared, since nobody can change them.
 */
export const immutable: unique symbol = Symbol.for('helix.immutable');

export function isolate<T>(value: T): T {
  // Most bodies and properties that are handed over are text or null: they cost nothing.
  if (typeof value !== 'object' || value === null) return value;
  return copy(value, new Map()) as T;
}

function copy(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const twin: unknown[] = [];
    seen.set(value, twin);
    for (const item of value) twin.push(copy(item, seen));
    return twin;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    const twin: Record<string, unknown> = {};
    seen.set(value, twin);
    for (const key of Object.keys(value)) {
      Object.defineProperty(twin, key, {
        value: copy((value as Record<string, unknown>)[key], seen),
        writable: true,
        enumerable: true,
        configurable: true,
      });
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
