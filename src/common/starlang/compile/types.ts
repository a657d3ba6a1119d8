import { didYouMean } from '../errors/suggest.js';
import { parseNumber } from '../numbers/decimal.js';
import type { Expr, NamedType, TypeNode } from '../syntax/ast.js';
import { ANY, simpleType, tagged, TYPE_NAMES, TypeValue, type TypeShape } from '../values/type-value.js';
import type { Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { findModule, typeInModule } from './modules.js';
import type { Scope } from './scope.js';

/** The type an expression of types stands for. Metadata is taken when it is literal. */
export function compileType(c: Compiler, node: TypeNode, scope: Scope): TypeValue {
  const type = bareType(c, node, scope);
  const meta = node.meta && literalMeta(node.meta);
  return meta ? new TypeValue(type.shape, { ...type.meta, ...meta }) : type;
}

/** The type after `is`. */
export function compileTest(c: Compiler, node: TypeNode, scope: Scope): TypeValue {
  return tagged(compileType(c, node, scope));
}

/** A type that a script names as a value: the declared type itself, not a reference to it. */
export const typeAsValue = (type: TypeValue): TypeValue =>
  type.shape.kind === 'named' ? new TypeValue({ ...type.shape, direct: true }, type.meta) : type;

function bareType(c: Compiler, node: TypeNode, scope: Scope): TypeValue {
  switch (node.kind) {
    case 'named':
      return namedType(c, node, scope);
    case 'union':
    case 'intersection':
      return new TypeValue({
        kind: node.kind,
        members: node.members.map((member) => compileType(c, member, scope)),
      });
    case 'literalType':
      return new TypeValue({ kind: 'literal', value: literalValue(node.value) ?? null });
    case 'functionType':
      return new TypeValue({
        kind: 'function',
        params: node.params.map(({ type }) => compileType(c, type, scope)),
        result: compileType(c, node.result, scope),
      });
    case 'objectType':
      return new TypeValue({
        kind: 'object',
        closed: node.closed,
        ordered: node.ordered,
        fields: node.fields.map((field) => ({
          ...(field.name === undefined ? {} : { name: field.name }),
          ...(field.namespace === undefined ? {} : { namespace: field.namespace }),
          type: compileType(c, field.type, scope),
          optional: field.optional,
          repeated: field.repeated,
        })),
      });
  }
}

function namedType(c: Compiler, node: NamedType, scope: Scope): TypeValue {
  let type = lookUp(c, node, scope);
  for (const field of node.fields) type = fieldOf(c, node, type, field);
  if (node.name === 'Array' && node.module.length === 0 && type === simpleType('Array'))
    return new TypeValue({ kind: 'array', item: node.args[0] && compileType(c, node.args[0], scope) });
  if (node.args.length === 0) return type;
  return new TypeValue({
    kind: 'applied',
    base: type,
    args: node.args.map((arg) => compileType(c, arg, scope)),
  });
}

function lookUp(c: Compiler, node: NamedType, scope: Scope): TypeValue {
  const { name, module } = node;
  if (module.length > 0) {
    const path = module.join('::');
    const found = typeInModule(findModule(c, scope, path), name);
    if (found) return found;
    c.problem(node, 'reference', `The type "${path}::${name}" is not known`);
    return ANY;
  }
  const found = scope.type(name) ?? (TYPE_NAMES.has(name) ? simpleType(name) : undefined);
  if (found) return found;
  c.problem(node, 'reference', `The type "${name}" is not known`, didYouMean(name, TYPE_NAMES));
  return ANY;
}

function fieldOf(c: Compiler, node: NamedType, type: TypeValue, name: string): TypeValue {
  const { shape } = type.shape.kind === 'named' ? ANY : type;
  if (type.shape.kind === 'named') {
    const whole = type;
    return new TypeValue({
      kind: 'named',
      name: `${type.toString()}.${name}`,
      resolve: () => memberType(whole.resolved().shape, name) ?? ANY,
    });
  }
  const found = memberType(shape, name);
  if (!found) c.problem(node, 'reference', `The type "${type.toString()}" has no field "${name}"`);
  return found ?? ANY;
}

function memberType(shape: TypeShape, name: string): TypeValue | undefined {
  return shape.kind === 'object'
    ? shape.fields.find(
        (field) => (field.namespace ? `${field.namespace}#${field.name}` : field.name) === name,
      )?.type
    : undefined;
}

/** `{format: "…"}` when all of it is literal. */
export function literalMeta(node: Expr): Record<string, Value> | undefined {
  if (node.kind !== 'object') return undefined;
  const meta: Record<string, Value> = {};
  for (const entry of node.entries) {
    if (entry.kind !== 'pair' || entry.key.name.kind !== 'string' || entry.condition) return undefined;
    const value = literalValue(entry.value);
    if (value === undefined) return undefined;
    meta[entry.key.name.value] = value;
  }
  return meta;
}

export function literalValue(node: Expr): Value | undefined {
  switch (node.kind) {
    case 'string':
    case 'boolean':
      return node.value;
    case 'null':
      return null;
    case 'number':
      return parseNumber(node.text);
    case 'name':
      return node.module.length === 0 && TYPE_NAMES.has(node.name) ? simpleType(node.name) : undefined;
    default:
      return undefined;
  }
}
