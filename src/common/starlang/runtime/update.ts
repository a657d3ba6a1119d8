import { typeFault } from '../errors/fault.js';
import { kindOf } from '../values/kind.js';
import {
  bare,
  isObject,
  Key,
  keysOf,
  nameOf,
  Namespace,
  objectFrom,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../values/objects.js';
import { preview, requireText } from '../values/text.js';
import type { Value } from '../values/value.js';
import { step } from './machine.js';

export interface PathStep {
  /** `name` is the first value of a key, `many` every one. */
  by: 'name' | 'index' | 'attribute' | 'many';
  key: Value;
  namespace: string | undefined;
  prefix: string | undefined;
}

type Change = (old: Value, index: Value) => Value;
type Wanted = (old: Value, index: Value) => boolean;

/** A copy of `value` in which what stands at the path is changed; with `upsert` it is made where missing. */
export function updatePath(
  value: Value,
  path: readonly PathStep[],
  upsert: boolean,
  change: Change,
  wanted: Wanted,
): Value {
  const go = (given: Value, depth: number, index: Value): Value => {
    const at = path[depth];
    if (!at) return change(given, index);
    step();
    const target = bare(given);
    if (at.by === 'index' && (Array.isArray(target) || typeof at.key === 'number'))
      return atIndex(target, at, depth);
    if (Array.isArray(target))
      return target.map((item, i) => (isObject(bare(item)) ? go(item, depth, i) : item));
    if (target === null && upsert) return go({}, depth, index);
    if (!isObject(target)) return given;
    return atName(target, at, depth);
  };

  const atIndex = (target: Value, at: PathStep, depth: number): Value => {
    if (target === null && !upsert) return target;
    const items = target === null ? [] : target;
    if (!Array.isArray(items))
      throw typeFault(`An index in an update needs an Array but got ${kindOf(target)} (${preview(target)})`);
    const position = Number(at.key);
    const i = position < 0 ? items.length + position : position;
    if (i < 0 || i >= items.length)
      return upsert && i === items.length ? [...items, go(null, depth + 1, i)] : items;
    return items.map((item, j) => (j === i ? go(item, depth + 1, i) : item));
  };

  const atName = (target: ObjectValue, at: PathStep, depth: number): Value => {
    const name = requireText(at.key);
    if (at.by === 'attribute') throw typeFault('An attribute can only follow a key in the path of an update');
    const next = path[depth + 1];
    const keys = [...keysOf(target)];
    const values = [...valuesOf(target)];
    let found = false;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as KeyLike;
      if (
        nameOf(key) !== name ||
        (at.namespace !== undefined && (typeof key === 'string' || key.namespace?.uri !== at.namespace))
      )
        continue;
      if (next?.by === 'attribute') keys[i] = withAttribute(key, next);
      else if (at.by === 'many') values[i] = go(values[i] as Value, depth + 1, i);
      else if (at.by === 'name' && Array.isArray(values[i]) && next?.by === 'many')
        values[i] = (values[i] as Value[]).map((item, j) => go(item, depth + 1, j));
      else values[i] = go(values[i] as Value, depth + 1, i);
      found = true;
      if (at.by === 'name') break;
    }
    if (!found && upsert && (depth < path.length - 1 || wanted(null, null))) {
      keys.push(
        at.namespace === undefined ? name : new Key(name, new Namespace(at.prefix ?? '', at.namespace)),
      );
      if (next?.by === 'attribute') {
        keys.push(withAttribute(keys.pop() as KeyLike, next));
        values.push(null);
      } else values.push(go(null, depth + 1, null));
    }
    return objectFrom(keys, values);
  };

  const withAttribute = (key: KeyLike, at: PathStep): KeyLike => {
    const attributes = typeof key === 'string' ? {} : (key.attributes ?? {});
    const changed = updatePath(attributes, [{ ...at, by: 'name' }], upsert, change, wanted);
    return new Key(nameOf(key), typeof key === 'string' ? undefined : key.namespace, changed as ObjectValue);
  };

  return go(value, 0, null);
}
