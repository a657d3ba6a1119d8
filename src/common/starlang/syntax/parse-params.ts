import type { Param } from './ast.js';
import { parseAnnotations } from './parse-annotations.js';
import type { Parser } from './parser.js';

/** `(a: Type = value, …)` of a function or annotation. */
export function parseParams(p: Parser): Param[] {
  p.expect('(', 'before the parameters');
  const params: Param[] = [];
  while (!p.is(')') && p.kind !== 'end') {
    const annotations = parseAnnotations(p);
    const { start } = p;
    const param: Param = { name: p.identifier('a parameter'), start, end: p.lastEnd };
    if (annotations.length > 0) param.annotations = annotations;
    if (p.accept(':')) param.type = p.type();
    if (p.accept('=')) param.value = p.expr();
    param.end = p.lastEnd;
    params.push(param);
    if (!p.accept(',')) break;
  }
  p.expect(')', 'after the parameters');
  return params;
}
