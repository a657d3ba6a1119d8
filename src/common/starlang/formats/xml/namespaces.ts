import { isObject, Key, keysOf, valuesOf, bare, Namespace, type KeyLike } from '../../values/objects.js';
import { step } from '../../runtime/machine.js';
import type { Value } from '../../values/value.js';

/** The declarations one element needs, and the prefix each of its names is written with. */
export class Declarations {
  readonly made = new Map<string, string>();
  private readonly outer: ReadonlyMap<string, string>;
  /** The default namespace was written as an attribute: names below are in it without saying so. */
  private literal: boolean;

  constructor(parent?: Declarations) {
    this.outer = parent?.all() ?? new Map();
    this.literal = parent?.literal ?? false;
  }

  private uriOf(prefix: string): string | undefined {
    return this.made.get(prefix) ?? this.outer.get(prefix);
  }

  /** A declaration written as an attribute: `xmlns` or `xmlns:p`. */
  take(prefix: string, uri: string): void {
    if (prefix === '') this.literal = true;
    this.made.set(prefix, uri);
  }

  /**
   * The prefix a name of this namespace is written with: its own, or another one when the element uses
   * that for something else. An attribute needs a prefix, since it never is in the default namespace.
   */
  prefix({ prefix, uri }: Namespace, attribute: boolean): string {
    if (!(attribute && prefix === '')) {
      if (this.uriOf(prefix) === uri) return prefix;
      if (!this.made.has(prefix)) {
        this.made.set(prefix, uri);
        return prefix;
      }
    }
    for (const [known, other] of [...this.made, ...this.outer])
      if (other === uri && known !== '' && this.uriOf(known) === uri) return known;
    for (let n = 0; ; n++) {
      const free = `ns${n}`;
      if (this.uriOf(free) !== undefined) continue;
      this.made.set(free, uri);
      return free;
    }
  }

  /** An element without namespace below one with a default namespace says so. */
  none(): void {
    if (!this.literal && (this.uriOf('') ?? '') !== '' && !this.made.has('')) this.made.set('', '');
  }

  private all(): ReadonlyMap<string, string> {
    return this.made.size === 0 ? this.outer : new Map([...this.outer, ...this.made]);
  }
}

/** Every namespace a value names, in the order they are met. */
export function namespacesIn(value: Value): Namespace[] {
  const found = new Map<string, Namespace>();
  const see = (key: KeyLike): void => {
    if (typeof key === 'string') return;
    if (key.namespace && !found.has(key.namespace.prefix)) found.set(key.namespace.prefix, key.namespace);
    if (key.attributes) for (const name of keysOf(key.attributes)) see(name);
  };
  const open: Value[] = [value];
  while (open.length > 0) {
    step();
    const one = bare(open.pop() as Value);
    if (Array.isArray(one)) for (let i = one.length; i-- > 0;) open.push(one[i] as Value);
    else if (isObject(one)) {
      for (const key of keysOf(one)) see(key);
      const values = valuesOf(one);
      for (let i = values.length; i-- > 0;) open.push(values[i] as Value);
    } else if (one instanceof Key) see(one);
  }
  return [...found.values()];
}
