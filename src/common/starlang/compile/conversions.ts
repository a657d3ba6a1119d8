import { typeFault } from '../errors/fault.js';
import { withMetadata } from '../runtime/metadata.js';
import type { AsNode, IsNode, MetadataNode } from '../syntax/ast.js';
import { accepts } from '../values/accepts.js';
import { coerce } from '../values/coerce.js';
import type { CoerceOptions } from '../values/coerce-options.js';
import { bare, isObject, keysOf, nameOf, valuesOf } from '../values/objects.js';
import type { PlainObject, Value } from '../values/value.js';
import { ANY, type TypeValue } from '../values/type-value.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec } from './exec.js';
import type { Scope } from './scope.js';
import { compileTest, compileType, literalMeta } from './types.js';

const WRITTEN_IN_FORMAT = new Set(['Date', 'DateTime', 'LocalDateTime', 'Time', 'LocalTime', 'Number']);

export function compileAs(c: Compiler, node: AsNode, scope: Scope): Exec {
  const operand = c.expr(node.operand, scope);
  const type = compileType(c, node.type, scope);
  const { meta } = node.type;
  if (!meta || literalMeta(meta)) {
    const convert = convertTo(c, node, type);
    return (frame) => convert(operand(frame));
  }
  const dynamic = c.expr(meta, scope);
  const keepsMeta = isWrittenInFormat(c, type);
  return (frame) => {
    const value = operand(frame);
    try {
      if (type === ANY) return value;
      const options = optionsOf(dynamic(frame));
      const converted = coerce(value, type, options);
      return keepsMeta ? withMetadata(converted, options as PlainObject) : converted;
    } catch (error) {
      throw locate(error, node);
    }
  };
}

/** A format goes along with a date or number, which is written in it. */
const isWrittenInFormat = (c: Compiler, { shape }: TypeValue) =>
  c.usesMetadata || (shape.kind === 'simple' && WRITTEN_IN_FORMAT.has(shape.name));

/** `as T`, with no or literal options, of a value. */
export function convertTo(c: Compiler, node: AsNode, type: TypeValue): (value: Value) => Value {
  const { shape, meta } = type;
  const keepsMeta = isWrittenInFormat(c, type);
  return (value) => {
    if (shape.kind === 'simple' && !meta) {
      if (typeof value === 'string' && shape.name === 'String') return value;
      if (typeof value === 'number' && shape.name === 'Number') return value;
    }
    try {
      if (type === ANY) return value;
      const converted = coerce(value, type, meta);
      return keepsMeta && meta ? withMetadata(converted, meta) : converted;
    } catch (error) {
      throw locate(error, node);
    }
  };
}

/** The entries of an object as options. */
export function optionsOf(given: Value): CoerceOptions {
  const value = bare(given);
  if (value === null) return {};
  if (!isObject(value)) throw typeFault('Options must be an object such as {format: "yyyy"}');
  const values = valuesOf(value);
  const options: Record<string, Value> = Object.create(null) as Record<string, Value>;
  for (const [i, key] of keysOf(value).entries()) options[nameOf(key)] = values[i] as Value;
  return options;
}

export function compileIs(c: Compiler, node: IsNode, scope: Scope): Exec {
  const operand = c.expr(node.operand, scope);
  const type = compileTest(c, node.type, scope);
  return (frame) => accepts(type, operand(frame));
}

export function compileMetadata(c: Compiler, node: MetadataNode, scope: Scope): Exec {
  const [operand, meta] = [c.expr(node.operand, scope), c.expr(node.meta, scope)];
  return (frame) => withMetadata(operand(frame), optionsOf(meta(frame)) as PlainObject);
}
