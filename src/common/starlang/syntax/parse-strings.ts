import type { Expr, StringNode, TemplateNode } from './ast.js';
import { isDigit, isNamePart, isNameStart } from './chars.js';
import type { Parser } from './parser.js';

/** A quoted string at the current token: plain, or a template when it interpolates. */
export function parseString(p: Parser): StringNode | TemplateNode {
  const { source, start } = p;
  const quote = source.charCodeAt(start);
  // Most strings are as they stand.
  for (let at = start + 1; ; at++) {
    const c = source.charCodeAt(at);
    if (c === quote) {
      p.seek(at + 1);
      return { kind: 'string', value: source.slice(start + 1, at), start, end: at + 1 };
    }
    if (c === 92 || c === 36 || Number.isNaN(c)) break;
  }
  const { texts, exprs } = parseTemplateParts(p);
  const at = { start, end: p.lastEnd };
  return exprs.length === 0
    ? { kind: 'string', value: texts[0] ?? '', ...at }
    : { kind: 'template', texts, exprs, ...at };
}

/** Literal parts and the expressions between them: always one more text than expressions. */
export function parseTemplateParts(p: Parser): { texts: string[]; exprs: Expr[] } {
  const { source, start } = p;
  const quote = source.charCodeAt(start);
  const texts: string[] = [];
  const exprs: Expr[] = [];
  let text = '';
  let from = start + 1;
  let at = from;
  const flush = (): void => {
    text += source.slice(from, at);
  };
  for (;;) {
    const c = source.charCodeAt(at);
    if (Number.isNaN(c)) p.fail('This string has no closing quote', start, 1);
    if (c === quote) break;
    if (c === 92) {
      flush();
      const [value, length] = escape(source, at + 1);
      text += value;
      at += 1 + length;
      from = at;
    } else if (c === 36) {
      const found = interpolation(p, at);
      if (found === undefined) {
        at++;
        continue;
      }
      flush();
      texts.push(text);
      text = '';
      exprs.push(found.expr);
      from = at = found.end;
    } else at++;
  }
  flush();
  texts.push(text);
  p.seek(at + 1);
  return { texts, exprs };
}

function interpolation(p: Parser, dollar: number): { expr: Expr; end: number } | undefined {
  const { source } = p;
  const next = source.charCodeAt(dollar + 1);
  if (next === 40) {
    p.seek(dollar + 2);
    const expr = p.expr();
    if (!p.is(')')) p.fail(`Expected ")" to close the interpolation but found ${p.found()}`);
    return { expr, end: p.end };
  }
  if (isNameStart(next)) {
    let end = dollar + 2;
    while (isNamePart(source.charCodeAt(end))) end++;
    const name = source.slice(dollar + 1, end);
    return { expr: { kind: 'name', name, module: [], start: dollar + 1, end }, end };
  }
  // `$1` is a group of a replacement.
  if (isDigit(next)) return undefined;
  let end = dollar + 1;
  while (source.charCodeAt(end) === 36 && end - dollar < 3) end++;
  const level = (end - dollar) as 1 | 2 | 3;
  return { expr: { kind: 'implicit', level, start: dollar, end }, end };
}

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** The character an escape stands for and how many characters it takes after the backslash. */
function escape(source: string, at: number): [string, number] {
  const c = source[at] ?? '';
  if (c === 'u') {
    const code = source.slice(at + 1, at + 5);
    if (/^[0-9a-fA-F]{4}$/.test(code)) return [String.fromCharCode(Number.parseInt(code, 16)), 5];
  }
  return [Object.hasOwn(SIMPLE, c) ? (SIMPLE[c] ?? c) : c, 1];
}
