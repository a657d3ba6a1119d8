import { typeFault } from '../errors/fault.js';
import {
  bare,
  isObject,
  keysOf,
  Key,
  member,
  Namespace,
  ObjectBuilder,
  sizeOfObject,
  valuesOf,
  type KeyLike,
} from '../values/objects.js';
import { requireText } from '../values/text.js';
import { step } from '../runtime/machine.js';
import type { Value } from '../values/value.js';

/** The kinds of a path element, as the modules Tree and Values name them. */
export const OBJECT_TYPE = 'Object';
export const ATTRIBUTE_TYPE = 'Attribute';
export const ARRAY_TYPE = 'Array';

export const element = (kind: string, selector: Value, namespace: Value = null): Value => ({
  kind,
  namespace,
  selector,
});

export function partsOf(given: Value): { kind: string; selector: Value; namespace: Value } {
  const value = bare(given);
  if (typeof value === 'number') return { kind: ARRAY_TYPE, selector: value, namespace: null };
  if (!isObject(value)) return { kind: OBJECT_TYPE, selector: requireText(value), namespace: null };
  const kind = member(value, 'kind');
  if (typeof kind !== 'string') throw typeFault('An element of a path is {kind, selector, namespace}');
  return { kind, selector: member(value, 'selector') ?? null, namespace: member(value, 'namespace') ?? null };
}

export const isLeaf = (value: Value): boolean => {
  const plain = bare(value);
  return !Array.isArray(plain) && !isObject(plain);
};

type Visit = (value: Value, path: Value[]) => Value | undefined;

/** A key with its attributes rebuilt; those that become undefined are left out. */
function rebuildKey(key: KeyLike, visit: Visit, path: Value[]): KeyLike {
  if (!(key instanceof Key) || !key.attributes) return key;
  const builder = new ObjectBuilder();
  const values = valuesOf(key.attributes);
  for (const [i, name] of keysOf(key.attributes).entries()) {
    step();
    const made = visit(values[i] as Value, [...path, keyElement(name, ATTRIBUTE_TYPE)]);
    if (made !== undefined) builder.add(name, made);
  }
  const attributes = builder.done();
  const { name, namespace } = key;
  if (sizeOfObject(attributes) > 0) return new Key(name, namespace, attributes);
  return namespace ? new Key(name, namespace) : name;
}

const DEEPEST = 500;

/** Rebuilds a tree from its children up to its root; a child that becomes undefined is left out. */
export function rebuild(given: Value, visit: Visit, path: Value[] = []): Value | undefined {
  step();
  if (path.length > DEEPEST) throw typeFault(`The value is nested deeper than ${DEEPEST}`);
  const value = bare(given);
  if (Array.isArray(value)) {
    const items = value.flatMap((item, i) => {
      const made = rebuild(item, visit, [...path, element(ARRAY_TYPE, i)]);
      return made === undefined ? [] : [made];
    });
    return visit(items, path);
  }
  if (isObject(value)) {
    const builder = new ObjectBuilder();
    const values = valuesOf(value);
    for (const [i, key] of keysOf(value).entries()) {
      const at = [...path, keyElement(key)];
      const made = rebuild(values[i] as Value, visit, at);
      if (made !== undefined) builder.add(rebuildKey(key, visit, at), made);
    }
    return visit(builder.done(), path);
  }
  return visit(given, path);
}

/** A tree without the nodes below its root that are not to stay, looked at from the root down. */
export function prune(
  given: Value,
  stays: (value: Value, path: Value[]) => boolean,
  path: Value[] = [],
): Value {
  step();
  if (path.length > DEEPEST) throw typeFault(`The value is nested deeper than ${DEEPEST}`);
  const value = bare(given);
  if (Array.isArray(value))
    return value.flatMap((item, i) => {
      const at = [...path, element(ARRAY_TYPE, i)];
      return stays(item, at) ? [prune(item, stays, at)] : [];
    });
  if (!isObject(value)) return given;
  const builder = new ObjectBuilder();
  const values = valuesOf(value);
  for (const [i, key] of keysOf(value).entries()) {
    const at = [...path, keyElement(key)];
    const item = values[i] as Value;
    if (!stays(item, at)) continue;
    const kept = rebuildKey(key, (attribute, of) => (stays(attribute, of) ? attribute : undefined), at);
    builder.add(kept, prune(item, stays, at));
  }
  return builder.done();
}

const keyElement = (key: KeyLike, kind = OBJECT_TYPE): Value =>
  element(kind, String(key), key instanceof Key && key.namespace instanceof Namespace ? key.namespace : null);
