import { typeFault } from '../errors/fault.js';
import { withMetadata } from '../runtime/metadata.js';
import type { AsNode, IsNode, MetadataNode } from '../syntax/ast.js';
import { accepts } from '../values/accepts.js';
import { coerce, type CoerceOptions } from '../values/coerce.js';
import { bare, isObject, keysOf, nameOf, valuesOf } from '../values/objects.js';
import type { PlainObject, Value } from '../values/value.js';
import { ANY } from '../values/type-value.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec } from './exec.js';
import type { Scope } from './scope.js';
import { compileType, literalMeta } from './types.js';

const WRITTEN_IN_FORMAT = new Set(['Date', 'DateTime', 'LocalDateTime', 'Time', 'LocalTime', 'Number']);

export function compileAs(c: Compiler, node: AsNode, scope: Scope): Exec {
  const operand = c.expr(node.operand, scope);
  const type = compileType(c, node.type, scope);
  const { meta } = node.type;
  const dynamic = meta && !literalMeta(meta) ? c.expr(meta, scope) : undefined;
  // A format goes along with a date or number, which is written in it.
  const keepsMeta =
    c.usesMetadata || (type.shape.kind === 'simple' && WRITTEN_IN_FORMAT.has(type.shape.name));
  return (frame) => {
    const value = operand(frame);
    if (!dynamic && type.shape.kind === 'simple' && !type.meta) {
      if (typeof value === 'string' && type.shape.name === 'String') return value;
      if (typeof value === 'number' && type.shape.name === 'Number') return value;
    }
    try {
      if (type === ANY) return value;
      const options = dynamic ? optionsOf(dynamic(frame)) : type.meta;
      const converted = coerce(value, type, options);
      return keepsMeta && options ? withMetadata(converted, options as PlainObject) : converted;
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
  const type = compileType(c, node.type, scope);
  return (frame) => accepts(type, operand(frame));
}

export function compileMetadata(c: Compiler, node: MetadataNode, scope: Scope): Exec {
  const [operand, meta] = [c.expr(node.operand, scope), c.expr(node.meta, scope)];
  return (frame) => withMetadata(operand(frame), optionsOf(meta(frame)) as PlainObject);
}
