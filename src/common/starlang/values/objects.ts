import { cells, checkCollectionSize, walk } from '../runtime/machine.js';
import { Box } from './box.js';
import type { PlainObject, Value } from './value.js';

export class Namespace extends Box {
  readonly typeName = 'Namespace';
  constructor(
    readonly prefix: string,
    readonly uri: string,
  ) {
    super();
  }
}

/** A key that is more than its name. Keys without namespace and attributes are plain strings. */
export class Key extends Box {
  readonly typeName = 'Key';
  constructor(
    readonly name: string,
    readonly namespace?: Namespace,
    readonly attributes?: ObjectValue,
  ) {
    super();
  }

  override toString(): string {
    return this.name;
  }
}

export type KeyLike = string | Key;
export type ObjectValue = PlainObject | MultiObject;

/** Ordered pairs: duplicate keys, integer-like keys in order, attributes, namespaces, `__proto__`. */
export class MultiObject extends Box {
  readonly typeName = 'Object';
  /** The key this object was selected by, when that had attributes: they travel with the value. */
  own: Key | undefined;

  constructor(
    readonly keys: readonly KeyLike[],
    readonly values: readonly Value[],
  ) {
    super();
  }

  /** The same pairs, selected by `key`. */
  under(key: Key): MultiObject {
    const view = new MultiObject(this.keys, this.values);
    view.own = key;
    return view;
  }
}

/**
 * A value that was selected by a key with attributes (`$.@id` of a leaf must still work) or that has
 * metadata (`as Date {format: "dd/MM"}` is written in that format).
 */
export class Leaf extends Box {
  readonly typeName = 'Leaf';
  constructor(
    readonly value: Value,
    readonly own: Key,
    readonly meta?: Readonly<Record<string, Value>>,
  ) {
    super();
  }
}

/** What an object keeps of a value: attributes belong to the key it was selected by, metadata goes along. */
export function stored(value: Value): Value {
  return value instanceof Leaf && value.meta === undefined ? value.value : value;
}

export const nameOf = (key: KeyLike): string => (typeof key === 'string' ? key : key.name);

/** The value without the attributes it travels with. */
export function bare(value: Value): Value {
  return value instanceof Leaf ? value.value : value;
}

export function isPlain(value: Value): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Box);
}

export function isObject(value: Value): value is ObjectValue {
  return isPlain(value) || value instanceof MultiObject;
}

/** May this key stand in a plain object, where integer-like keys are reordered and __proto__ is special? */
export function isPlainKey(name: string): boolean {
  const c = name.charCodeAt(0);
  return !((c >= 48 && c <= 57 && /^(?:0|[1-9]\d{0,9})$/.test(name)) || name === '__proto__');
}

export function keysOf(object: ObjectValue): readonly KeyLike[] {
  return object instanceof MultiObject ? object.keys : Object.keys(object);
}

export function valuesOf(object: ObjectValue): readonly Value[] {
  return object instanceof MultiObject ? object.values : Object.values(object);
}

export function sizeOfObject(object: ObjectValue): number {
  return object instanceof MultiObject ? object.keys.length : Object.keys(object).length;
}

/** The value at the first pair with this name; undefined without one. */
export function member(object: ObjectValue, name: string): Value | undefined {
  if (object instanceof MultiObject) {
    for (let i = 0; i < object.keys.length; i++)
      if (nameOf(object.keys[i] as KeyLike) === name) return object.values[i];
    return undefined;
  }
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Collects pairs in order: a plain object as long as the keys allow, then a multimap. */
export class ObjectBuilder {
  private plain: PlainObject | undefined = {};
  private keys: KeyLike[] = [];
  private values: Value[] = [];
  private size = 0;

  add(key: KeyLike, value: Value): this {
    const found = stored(value);
    checkCollectionSize(++this.size);
    cells(1);
    if (typeof key === 'string') walk(key);
    if (this.plain) {
      if (typeof key === 'string' && isPlainKey(key) && !Object.hasOwn(this.plain, key)) {
        this.plain[key] = found;
        return this;
      }
      this.keys = Object.keys(this.plain);
      this.values = Object.values(this.plain);
      this.plain = undefined;
    }
    this.keys.push(key);
    this.values.push(found);
    return this;
  }

  addAll(object: ObjectValue): this {
    const keys = keysOf(object);
    const values = valuesOf(object);
    for (let i = 0; i < keys.length; i++) this.add(keys[i] as KeyLike, values[i] as Value);
    return this;
  }

  done(): ObjectValue {
    return this.plain ?? new MultiObject(this.keys, this.values);
  }
}

export function objectFrom(keys: readonly KeyLike[], values: readonly Value[]): ObjectValue {
  const builder = new ObjectBuilder();
  for (let i = 0; i < keys.length; i++) builder.add(keys[i] as KeyLike, values[i] as Value);
  return builder.done();
}
