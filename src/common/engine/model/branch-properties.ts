import { isolate } from './isolate.js';

/**
 * Properties of a branch. A value is copied when the branch first looks at it, so that thousands of branches beside one
 * large property cost nothing until one of them reads it. The exchange they came from must wait for its branches.
 */
export class BranchProperties extends Map<string, unknown> {
  readonly #borrowed = new Set<string>();

  constructor(parent: ReadonlyMap<string, unknown>) {
    super();
    for (const [name, value] of parent) {
      super.set(name, value);
      if (typeof value === 'object' && value !== null) this.#borrowed.add(name);
    }
  }

  override get(name: string): unknown {
    const value = super.get(name);
    if (!this.#borrowed.delete(name)) return value;
    const own = isolate(value);
    super.set(name, own);
    return own;
  }

  override set(name: string, value: unknown): this {
    this.#borrowed.delete(name);
    return super.set(name, value);
  }

  override delete(name: string): boolean {
    this.#borrowed.delete(name);
    return super.delete(name);
  }

  override clear(): void {
    this.#borrowed.clear();
    super.clear();
  }

  override entries(): MapIterator<[string, unknown]> {
    this.#settle();
    return super.entries();
  }

  override values(): MapIterator<unknown> {
    this.#settle();
    return super.values();
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }

  override forEach(visit: (value: unknown, name: string, map: Map<string, unknown>) => void): void {
    this.#settle();
    super.forEach(visit);
  }

  #settle(): void {
    for (const name of this.#borrowed) this.get(name);
  }
}
