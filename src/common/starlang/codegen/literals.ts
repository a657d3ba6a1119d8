import { compileArray } from '../compile/literals.js';
import { CELL } from '../limits.js';
import type { Scope } from '../compile/scope.js';
import type { ArrayNode, TemplateNode } from '../syntax/ast.js';
import type { Generator } from './generator.js';
import { text, type Atom } from './writer.js';

export function writeTemplate(g: Generator, node: TemplateNode, scope: Scope): Atom {
  const parts = [JSON.stringify(node.texts[0])];
  const values: string[] = [];
  for (const [i, expr] of node.exprs.entries()) {
    const value = g.expr(expr, scope);
    const { code } = value;
    // Made before the next one is evaluated: it may fail.
    const part =
      value.known === 'string'
        ? code
        : g.temp(`typeof ${code} === "string" ? ${code} : textOf(${code}, ${g.constant(expr)})`).code;
    parts.push(part);
    values.push(part);
    if (node.texts[i + 1]) parts.push(JSON.stringify(node.texts[i + 1]));
  }
  if (parts.length === 1) return text(node.texts[0] ?? '');
  const made = g.temp(parts.join(' + '), 'string');
  const longest = values.length === 1 ? `${values[0]}.length` : `longest(${values.join(', ')})`;
  g.emit(`join(${made.code}.length, ${longest});`);
  return made;
}

export function writeArray(g: Generator, node: ArrayNode, scope: Scope): Atom {
  if (node.rest) return g.bridge(compileArray(g.c, node, scope), scope);
  if (!node.items.some(({ condition }) => condition)) {
    const items = node.items.map(({ value }) => g.expr(value, scope).code);
    if (items.length > 0) g.charge((items.length + 2) * CELL);
    return g.temp(`[${items.join(', ')}]`, 'array');
  }
  const out = g.temp('[]', 'array');
  for (const { value, condition } of node.items) {
    if (!condition) {
      g.emit(`${out.code}.push(${g.expr(value, scope).code});`);
      continue;
    }
    const test = g.truth(g.expr(condition, scope), condition, 'The condition of an item');
    const then = g.nested(scope, () => g.emit(`${out.code}.push(${g.expr(value, scope).code});`));
    g.emit(`if (${test}) {\n${then}\n}`);
  }
  return out;
}
