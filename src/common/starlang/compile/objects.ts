import { typeFault } from '../errors/fault.js';
import { CELL } from '../limits.js';
import { charge } from '../runtime/machine.js';
import type { Entry, Key as KeyNode, Node, ObjectNode } from '../syntax/ast.js';
import { coerceTo, keyOf } from '../values/coerce.js';
import { kindOf } from '../values/kind.js';
import {
  bare,
  isObject,
  isPlainKey,
  Key,
  Leaf,
  Namespace,
  ObjectBuilder,
  stored,
  type KeyLike,
} from '../values/objects.js';
import { preview } from '../values/text.js';
import type { PlainObject, Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec, type Frame } from './exec.js';
import type { Scope } from './scope.js';

export function compileObject(c: Compiler, node: ObjectNode, scope: Scope): Exec {
  return plainShape(c, node, scope) ?? builtObject(c, node, scope);
}

/** Only literal, distinct, harmless keys: a plain object is written straight away. */
function plainShape(c: Compiler, node: ObjectNode, scope: Scope): Exec | undefined {
  const names: string[] = [];
  for (const entry of node.entries) {
    if (entry.kind !== 'pair' || entry.condition) return undefined;
    const { key } = entry;
    if (key.dynamic || key.namespace || key.attributes || key.name.kind !== 'string') return undefined;
    if (!isPlainKey(key.name.value)) return undefined;
    names.push(key.name.value);
  }
  if (node.rest || new Set(names).size !== names.length) return undefined;
  const values = node.entries.map((entry) => c.expr(entry.value, scope));
  const count = names.length;
  const size = (count + 2) * CELL;
  return (frame) => {
    const object: PlainObject = {};
    charge(size);
    for (let i = 0; i < count; i++) {
      const value = (values[i] as Exec)(frame);
      object[names[i] as string] = value instanceof Leaf ? stored(value) : value;
    }
    return object;
  };
}

type Add = (frame: Frame, builder: ObjectBuilder) => void;

function builtObject(c: Compiler, node: ObjectNode, scope: Scope): Exec {
  const adds = node.entries.map((entry) => compileEntry(c, entry, scope));
  const rest = node.rest && c.expr(node.rest, scope);
  return (frame) => {
    const builder = new ObjectBuilder();
    for (const add of adds) add(frame, builder);
    if (rest) spread(rest(frame), builder, node.rest ?? node);
    return builder.done();
  };
}

export function compileEntry(c: Compiler, entry: Entry, scope: Scope): Add {
  const condition = entry.condition && c.test(entry.condition, scope, 'The condition of an entry');
  const value = c.expr(entry.value, scope);
  let add: Add;
  if (entry.kind === 'spread') add = (frame, builder) => spread(value(frame), builder, entry.value);
  else {
    const key = compileKey(c, entry.key, scope);
    add = (frame, builder) => builder.add(key(frame), value(frame));
  }
  return condition ? (frame, builder) => condition(frame) && add(frame, builder) : add;
}

/** An object, an array of objects, or null, into the object around it. */
export function spread(given: Value, builder: ObjectBuilder, node: Entry['value']): void {
  const value = bare(given);
  if (value === null) return;
  if (isObject(value)) builder.addAll(value);
  else if (Array.isArray(value)) for (const item of value) spread(item, builder, node);
  else
    throw locate(
      typeFault(`Only objects can be spread into an object, not ${kindOf(value)} (${preview(value)})`),
      node,
    );
}

type MakeKey = (frame: Frame) => KeyLike;

function compileKey(c: Compiler, node: KeyNode, scope: Scope): MakeKey {
  const name = compileKeyName(c, node, scope);
  if (node.namespace === undefined && !node.attributes) return name;
  const namespace = node.namespace === undefined ? undefined : namespaceOf(c, node, scope);
  const attributes = node.attributes?.map((entry) => compileEntry(c, entry, scope));
  return (frame) => {
    const key = name(frame);
    const builder = new ObjectBuilder();
    if (attributes) for (const add of attributes) add(frame, builder);
    else if (typeof key !== 'string' && key.attributes) builder.addAll(key.attributes);
    const made = builder.done();
    const own = namespace?.(frame) ?? (typeof key === 'string' ? undefined : key.namespace);
    return new Key(String(key), own, made);
  };
}

/** A namespace of the header, or a variable that holds one. */
function namespaceOf(c: Compiler, node: KeyNode, scope: Scope): ((frame: Frame) => Namespace) | undefined {
  const prefix = node.namespace as string;
  const uri = scope.namespace(prefix);
  if (uri !== undefined) {
    const namespace = new Namespace(prefix, uri);
    return () => namespace;
  }
  if (!scope.resolve(prefix)) {
    c.problem(
      node,
      'reference',
      `The namespace "${prefix}" is not declared`,
      `declare it: ns ${prefix} http://…`,
    );
    return undefined;
  }
  const exec = c.expr(
    { kind: 'name', name: prefix, module: [], start: node.start, end: node.start + prefix.length },
    scope,
  );
  return (frame) => {
    try {
      return coerceTo(bare(exec(frame)), 'Namespace') as Namespace;
    } catch (error) {
      throw locate(error, node);
    }
  };
}

function compileKeyName(c: Compiler, node: KeyNode, scope: Scope): MakeKey {
  if (node.name.kind === 'string' && !node.dynamic) {
    const { value } = node.name;
    return () => value;
  }
  const exec = c.expr(node.name, scope);
  return (frame) => {
    const value = exec(frame);
    return typeof value === 'string' ? value : keyFrom(value, node.name);
  };
}

/** The key of a dynamic key. */
export function keyFrom(value: Value, node: Node): KeyLike {
  try {
    if (value === null) throw typeFault('A key cannot be null', 'give it a value with "default"');
    return keyOf(value);
  } catch (error) {
    throw locate(error, node);
  }
}
