import { Fault, typeFault } from '../errors/fault.js';
import { parseTemporal } from '../dates/iso.js';
import { Period } from '../dates/period.js';
import { Temporal } from '../dates/temporal.js';
import { Binary } from '../values/atoms.js';
import { kindOf } from '../values/kind.js';
import {
  bare,
  isObject,
  isPlain,
  Key,
  keysOf,
  Leaf,
  MultiObject,
  nameOf,
  Namespace,
  objectFrom,
  ObjectBuilder,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../values/objects.js';
import { Range } from '../values/range.js';
import { charactersOf, preview, textOf } from '../values/text.js';
import type { Value } from '../values/value.js';
import { cells, step, walk } from './machine.js';

/** What a selector found: undefined is a miss, which the node turns into null, false or an error. */
export type Found = Value | undefined;

/** The value with its key's attributes attached when there are any. */
function selected(key: KeyLike, value: Value): Value {
  if (typeof key === 'string' || !(key.attributes ?? key.namespace)) return value;
  return value instanceof MultiObject
    ? value.under(key)
    : new Leaf(bare(value), key, value instanceof Leaf ? value.meta : undefined);
}

export function refuseSelector(value: Value, selector: string, allowed = 'Object, Array or Null'): Fault {
  return typeFault(`The selector ${selector} needs ${allowed} but got ${kindOf(value)} (${preview(value)})`);
}

const matches = (key: KeyLike, name: string, namespace: string | undefined) =>
  nameOf(key) === name &&
  (namespace === undefined || (typeof key !== 'string' && key.namespace?.uri === namespace));

/** `.name` */
export function selectName(given: Value, name: string, namespace?: string): Found {
  const target = bare(given);
  if (target === null) return undefined;
  if (isPlain(target))
    return namespace === undefined && Object.hasOwn(target, name) ? target[name] : undefined;
  if (target instanceof MultiObject) {
    const { keys, values } = target;
    for (let i = 0; i < keys.length; i++) {
      if (matches(keys[i] as KeyLike, name, namespace))
        return selected(keys[i] as KeyLike, values[i] as Value);
    }
    return undefined;
  }
  if (Array.isArray(target) || target instanceof Range) {
    const out: Value[] = [];
    for (const item of Array.isArray(target) ? target : target.items()) {
      step();
      const one = bare(item);
      if (!isObject(one)) continue;
      const found = selectName(one, name, namespace);
      if (found !== undefined) out.push(found);
    }
    cells(out.length);
    return out.length > 0 ? out : undefined;
  }
  if (target instanceof Temporal || target instanceof Period) {
    const part = target.part(name);
    if (part === undefined)
      throw typeFault(`A ${target.typeName} (${target.toString()}) has no part "${name}"`);
    return part;
  }
  if (target instanceof Namespace)
    return name === 'prefix' ? target.prefix : name === 'uri' ? target.uri : undefined;
  // A text that spells a date has the parts of the date.
  const spelled = typeof target === 'string' ? parseTemporal(target.trim())?.part(name) : undefined;
  if (spelled !== undefined) return spelled;
  throw refuseSelector(target, `.${name}`);
}

/** `.*name` */
export function selectAll(given: Value, name: string, namespace?: string): Found {
  const target = bare(given);
  if (target === null) return undefined;
  const out: Value[] = [];
  if (Array.isArray(target)) {
    for (const item of target) {
      step();
      if (isObject(bare(item))) allOf(bare(item) as ObjectValue, name, namespace, out);
    }
  } else if (isObject(target)) allOf(target, name, namespace, out);
  else throw refuseSelector(target, `.*${name}`);
  return out.length > 0 ? out : undefined;
}

function allOf(object: ObjectValue, name: string, namespace: string | undefined, out: Value[]): void {
  if (isPlain(object)) {
    if (namespace === undefined && Object.hasOwn(object, name)) out.push(object[name] as Value);
    return;
  }
  for (let i = 0; i < object.keys.length; i++) {
    step();
    const key = object.keys[i] as KeyLike;
    if (matches(key, name, namespace)) out.push(selected(key, object.values[i] as Value));
  }
}

/** `.&name` */
export function selectPairs(given: Value, name: string, namespace?: string): Found {
  const target = bare(given);
  if (target === null) return undefined;
  const builder = new ObjectBuilder();
  let any = false;
  const visit = (object: ObjectValue): void => {
    const values = valuesOf(object);
    for (const [i, key] of keysOf(object).entries()) {
      if (!matches(key, name, namespace)) continue;
      any = true;
      builder.add(key, values[i] as Value);
    }
  };
  if (Array.isArray(target))
    for (const item of target) {
      const one = bare(item);
      if (isObject(one)) visit(one);
    }
  else if (isObject(target)) visit(target);
  else throw refuseSelector(target, `.&${name}`);
  return any ? builder.done() : undefined;
}

function children(value: Value): readonly Value[] {
  const plain = bare(value);
  if (Array.isArray(plain)) return plain;
  if (!isObject(plain)) return [];
  const values = valuesOf(plain);
  return plain instanceof MultiObject
    ? plain.keys.map((key, i) => selected(key, values[i] as Value))
    : values;
}

/** `..`: every descendant, level by level. */
export function descendants(target: Value): Value[] {
  const out: Value[] = [...children(target)];
  for (let i = 0; i < out.length; i++) {
    step();
    const below = children(out[i] as Value);
    cells(below.length);
    for (const child of below) out.push(child);
  }
  return out;
}

/** `..name`: the first match in every object, parent before child. */
export function selectDeep(target: Value, find: (object: ObjectValue) => Found): Value[] {
  const out: Value[] = [];
  for (const given of [target, ...descendants(target)]) {
    const value = bare(given);
    if (!isObject(value)) continue;
    const found = find(value);
    if (found !== undefined) out.push(found);
  }
  return out;
}

/** `..*name`: all matches of an object, then those below each of its children in turn. */
export function selectDeepAll(target: Value, name: string, namespace?: string): Found {
  const out: Value[] = [];
  const open: Value[] = [target];
  while (open.length > 0) {
    step();
    const value = open.pop() as Value;
    const object = bare(value);
    if (isObject(object)) allOf(object, name, namespace, out);
    const below = children(value);
    for (let i = below.length; i-- > 0;) open.push(below[i] as Value);
  }
  return out.length > 0 ? out : undefined;
}

/** `[e]`: by position, by key, or a slice. */
export function selectIndex(given: Value, index: Value): Found {
  const target = bare(given);
  const by = bare(index);
  if (target === null) return undefined;
  if (by instanceof Range) return slice(target, by);
  if (typeof by === 'number') {
    if (Array.isArray(target)) return target[by < 0 ? target.length + by : by];
    if (typeof target === 'string') {
      const c = target[by < 0 ? target.length + by : by];
      return c;
    }
    if (target instanceof Range) return target.at(by);
    if (isObject(target)) {
      const values = valuesOf(target);
      const at = by < 0 ? values.length + by : by;
      const key = keysOf(target)[at];
      return key === undefined ? undefined : selected(key, values[at] as Value);
    }
    if (target instanceof Binary) return target.bytes[by < 0 ? target.bytes.length + by : by];
    throw refuseSelector(target, `[${by}]`, 'Array, Object, String, Range or Null');
  }
  const name = by === null ? undefined : textOf(by);
  if (name !== undefined) walk(name);
  if (name === undefined)
    throw typeFault(`A selector [ ] takes a number, range or key but got ${kindOf(by)} (${preview(by)})`);
  return selectName(target, name, by instanceof Key ? by.namespace?.uri : undefined);
}

/** Inclusive, reversed when it descends, a miss when an end is out of range. */
function slice(target: Value, range: Range): Found {
  if (typeof target !== 'string' && !Array.isArray(target) && !(target instanceof Range))
    throw refuseSelector(target, '[from to to]', 'Array, String, Range or Null');
  const items = target instanceof Range ? target.items() : target;
  const { length } = items;
  const from = range.from < 0 ? length + range.from : range.from;
  const to = range.to < 0 ? length + range.to : range.to;
  if (from < 0 || to < 0 || from >= length || to >= length) return undefined;
  const [low, high] = from <= to ? [from, to] : [to, from];
  if (typeof items === 'string') walk(items);
  else cells(high - low + 1);
  const part = items.slice(low, high + 1);
  if (from <= to) return part;
  return typeof part === 'string' ? charactersOf(part).toReversed().join('') : part.toReversed();
}

/** `[?(c)]` */
export function selectFilter(given: Value, test: (value: Value, key: Value) => boolean): Found {
  const target = bare(given);
  if (target === null) return undefined;
  if (Array.isArray(target) || target instanceof Range) {
    const items = Array.isArray(target) ? target : target.items();
    const out = items.filter((item, index) => (step(), test(item, index)));
    cells(out.length);
    return out.length > 0 ? out : undefined;
  }
  if (!isObject(target)) throw refuseSelector(target, '[?( )]');
  const values = valuesOf(target);
  const keys: KeyLike[] = [];
  const kept: Value[] = [];
  for (const [i, key] of keysOf(target).entries()) {
    step();
    if (!test(values[i] as Value, key)) continue;
    keys.push(key);
    kept.push(values[i] as Value);
  }
  return keys.length > 0 ? objectFrom(keys, kept) : undefined;
}

/** The key a value was selected by. */
export function ownKey(value: Value): Key | undefined {
  return value instanceof Leaf || value instanceof MultiObject ? value.own : undefined;
}

/** `.@name`, or all attributes without a name. */
export function selectAttribute(target: Value, name: string | undefined, namespace?: string): Found {
  if (Array.isArray(target)) {
    const out: Value[] = [];
    for (const item of target) {
      const found = selectAttribute(item, name, namespace);
      if (found !== undefined) out.push(found);
    }
    return out.length > 0 ? out : undefined;
  }
  if (target instanceof Key)
    return name === undefined
      ? target.attributes
      : target.attributes && selectName(target.attributes, name, namespace);
  const attributes = ownKey(target)?.attributes;
  if (!attributes) return undefined;
  return name === undefined ? attributes : selectName(attributes, name, namespace);
}

/** `.#` */
export function selectNamespace(target: Value): Found {
  return target instanceof Key ? target.namespace : ownKey(target)?.namespace;
}
