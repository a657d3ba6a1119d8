import { CELL } from '../limits.js';
import { parseBarLiteral } from '../dates/iso.js';
import { coercionFault } from '../errors/fault.js';
import { charge, join } from '../runtime/machine.js';
import type { ArrayNode, TemplateNode, TemporalNode } from '../syntax/ast.js';
import { requireText } from '../values/text.js';
import { Range } from '../values/range.js';
import { bare } from '../values/objects.js';
import { typeFault } from '../errors/fault.js';
import type { Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec } from './exec.js';
import type { Scope } from './scope.js';

export function compileTemporal(c: Compiler, node: TemporalNode): Exec {
  return c.constant(node, () => {
    const found = parseBarLiteral(node.text);
    if (!found)
      throw coercionFault(
        `|${node.text}| is no date, time, period or time zone`,
        'write |2024-12-31|, |10:00:00Z| or |P1D|',
      );
    return found;
  });
}

export function compileTemplate(c: Compiler, node: TemplateNode, scope: Scope): Exec {
  const { texts } = node;
  const parts = node.exprs.map((expr) => c.expr(expr, scope));
  const first = texts[0] as string;
  return (frame) => {
    let text = first;
    let longest = 0;
    for (let i = 0; i < parts.length; i++) {
      const value = (parts[i] as Exec)(frame);
      try {
        const part = typeof value === 'string' ? value : value === null ? 'null' : requireText(value);
        text += part;
        if (part.length > longest) longest = part.length;
      } catch (error) {
        throw locate(error, node.exprs[i] ?? node);
      }
      text += texts[i + 1] as string;
    }
    join(text.length, longest);
    return text;
  };
}

export function compileArray(c: Compiler, node: ArrayNode, scope: Scope): Exec {
  const items = node.items.map(({ value }) => c.expr(value, scope));
  const rest = node.rest && c.expr(node.rest, scope);
  const conditions = node.items.map(
    ({ condition }) => condition && c.test(condition, scope, 'The condition of an item'),
  );
  if (!rest && !conditions.some(Boolean)) {
    if (items.length === 0) return () => [];
    const size = (items.length + 2) * CELL;
    return (frame) => {
      const out: Value[] = [];
      charge(size);
      for (const item of items) out.push(item(frame));
      return out;
    };
  }
  return (frame) => {
    const out: Value[] = [];
    for (let i = 0; i < items.length; i++) {
      const condition = conditions[i];
      if (!condition || condition(frame)) out.push((items[i] as Exec)(frame));
    }
    if (!rest) return out;
    const given = bare(rest(frame));
    const tail = given instanceof Range ? given.items() : given;
    if (Array.isArray(tail)) {
      charge(out.length * CELL + tail.length * 2);
      return [...out, ...tail];
    }
    throw locate(typeFault('The rest of an array, after "~", must be an Array'), node.rest ?? node);
  };
}
