import { isolate } from './isolate.js';

interface Entry {
  readonly name: string;
  readonly value: unknown;
}

/** Names beginning with `Helix`, in any case, are the engine's: no outside party may set them. */
export function isReservedHeader(name: string): boolean {
  return (name.charCodeAt(0) | 0x20) === 0x68 && name.slice(0, 5).toLowerCase() === 'helix';
}

/** What all begin with: many messages never get a header. */
const nobodys = new Map<string, Entry>();

/**
 * Headers of a message: names compare without case and keep the case they were first set with. A copy shares its
 * storage until one side writes, so that handing a message over costs nothing.
 */
export class MessageHeaders {
  #entries = nobodys;
  #shared = true;
  /** Values that could be changed in place are copied with the map. */
  #holdsObjects = false;

  constructor(initial?: Readonly<Record<string, unknown>>) {
    if (initial) for (const [name, value] of Object.entries(initial)) this.set(name, value);
  }

  get size(): number {
    return this.#entries.size;
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** The value, or undefined where the header is not set. */
  get(name: string): unknown {
    return this.#entries.get(name.toLowerCase())?.value;
  }

  /** The value as text; undefined where it is not set or null. */
  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  set(name: string, value: unknown): void {
    this.#own();
    if (typeof value === 'object' && value !== null) this.#holdsObjects = true;
    const key = name.toLowerCase();
    this.#entries.set(key, { name: this.#entries.get(key)?.name ?? name, value });
  }

  delete(name: string): boolean {
    if (!this.has(name)) return false;
    this.#own();
    return this.#entries.delete(name.toLowerCase());
  }

  *entries(): IterableIterator<[string, unknown]> {
    for (const { name, value } of this.#entries.values()) yield [name, value];
  }

  /** Visits each header with its name in lower case and as it was set. */
  forEach(visit: (value: unknown, key: string, name: string) => void): void {
    this.#entries.forEach(({ name, value }, key) => visit(value, key, name));
  }

  toObject(): Record<string, unknown> {
    return Object.fromEntries(this.entries());
  }

  copy(): MessageHeaders {
    const twin = new MessageHeaders();
    if (this.#holdsObjects) {
      for (const { name, value } of this.#entries.values()) twin.set(name, isolate(value));
      return twin;
    }
    twin.#entries = this.#entries;
    twin.#shared = true;
    this.#shared = true;
    return twin;
  }

  #own(): void {
    if (!this.#shared) return;
    this.#entries = new Map(this.#entries);
    this.#shared = false;
  }
}
