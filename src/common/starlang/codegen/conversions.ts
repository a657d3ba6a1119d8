import { compileAs, convertTo } from '../compile/conversions.js';
import type { Scope } from '../compile/scope.js';
import { compileTest, compileType, literalMeta } from '../compile/types.js';
import type { AsNode, IsNode } from '../syntax/ast.js';
import type { TypeValue } from '../values/type-value.js';
import type { Generator } from './generator.js';
import type { Atom } from './writer.js';

export function writeAs(g: Generator, node: AsNode, scope: Scope): Atom {
  const { meta } = node.type;
  if (meta && !literalMeta(meta)) return g.bridge(compileAs(g.c, node, scope), scope);
  const { code } = g.expr(node.operand, scope);
  const type = compileType(g.c, node.type, scope);
  const slow = `${g.constant(convertTo(g.c, node, type))}(${code})`;
  const same = type.meta ? undefined : testOf(type, code);
  return g.temp(same ? `${same} ? ${code} : ${slow}` : slow);
}

export function writeIs(g: Generator, node: IsNode, scope: Scope): Atom {
  const { code } = g.expr(node.operand, scope);
  return g.temp(isOf(g, compileTest(g.c, node.type, scope), code), 'boolean');
}

/** Is the value of the type? */
export function isOf(g: Generator, type: TypeValue, code: string): string {
  const test = testOf(type, code);
  const slow = `accepts(${g.constant(type)}, ${code})`;
  return test ? `(${test} || ${slow})` : slow;
}

/** A test that is true for the commonest values of a simple type, and only for values of it. */
function testOf({ shape }: TypeValue, code: string): string | undefined {
  if (shape.kind !== 'simple') return undefined;
  if (shape.name === 'String') return `typeof ${code} === "string"`;
  if (shape.name === 'Number') return `typeof ${code} === "number"`;
  return undefined;
}
