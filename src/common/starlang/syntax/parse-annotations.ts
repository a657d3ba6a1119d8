import type { Annotation } from './ast.js';
import { parseEntries } from './parse-object.js';
import type { Parser } from './parser.js';

/** `@Name`, `@Name(k = v, …)` before a directive, parameter or type. */
export function parseAnnotations(p: Parser): Annotation[] {
  const found: Annotation[] = [];
  while (p.is('@')) {
    const { start } = p;
    p.next();
    let name = p.word('the name of an annotation');
    while (p.accept('::')) name += `::${p.word('a name after "::"')}`;
    const args = p.is('(') && p.start === p.lastEnd ? parseEntries(p, '(', ')', '=') : [];
    found.push({ name, args, start, end: p.lastEnd });
  }
  return found;
}
