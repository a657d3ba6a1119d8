import type { Expr, Reach, Selector, SelectNode } from './ast.js';
import { parseString } from './parse-strings.js';
import type { Parser } from './parser.js';

/** Selectors and calls that follow an operand. */
export function parsePostfix(p: Parser, expr: Expr): Expr {
  for (;;) {
    if (p.kind !== 'punct') return expr;
    switch (p.text) {
      case '.':
        expr = parseDot(p, expr);
        break;
      case '..':
        expr = parseDeep(p, expr);
        break;
      case '[':
        expr = parseIndex(p, expr);
        break;
      case '(':
        expr = parseCall(p, expr);
        break;
      case '?':
      case '!':
        if (expr.kind !== 'select' || expr.check || expr.grouped) return expr;
        expr = { ...expr, check: p.text, end: p.end };
        p.next();
        break;
      default:
        return expr;
    }
  }
}

function parseCall(p: Parser, callee: Expr): Expr {
  p.next();
  const args: Expr[] = [];
  while (!p.is(')') && p.kind !== 'end') {
    const arg = p.recover(() => p.expr(), [',']);
    if (arg) args.push(arg);
    if (!p.accept(',')) break;
  }
  if (!p.is(')')) p.fail(`Expected "," or ")" in the arguments but found ${p.found()}`);
  p.next();
  return { kind: 'call', callee, args, start: callee.start, end: p.lastEnd };
}

function parseDot(p: Parser, target: Expr): Expr {
  p.next();
  if (p.is('*')) {
    p.next();
    return p.is('@') ? parseAttribute(p, target, 'many') : select(p, target, parseName(p), 'many');
  }
  if (p.is('&')) {
    p.next();
    return select(p, target, parseName(p), 'pairs');
  }
  if (p.is('@')) return parseAttribute(p, target, 'one');
  if (p.is('#')) {
    p.next();
    return select(p, target, { by: 'namespace' }, 'one');
  }
  if (p.is('^')) {
    p.next();
    const named = p.start === p.lastEnd && (p.kind === 'name' || p.kind === 'quote');
    return select(p, target, named ? { by: 'meta', name: parseNameText(p) } : { by: 'meta' }, 'one');
  }
  return select(p, target, parseName(p), 'one');
}

function parseDeep(p: Parser, target: Expr): Expr {
  const dots = p.end;
  p.next();
  if (p.start === dots) {
    if (p.is('*')) {
      p.next();
      return select(p, target, parseName(p), 'deepMany');
    }
    if (p.is('&')) {
      p.next();
      return select(p, target, parseName(p), 'deepPairs');
    }
    if (p.is('@')) return parseAttribute(p, target, 'deep');
    if (p.kind === 'name' || p.kind === 'quote') return select(p, target, parseName(p), 'deep');
  }
  return select(p, target, { by: 'descendants' }, 'deep');
}

function parseAttribute(p: Parser, target: Expr, reach: Reach): Expr {
  p.next();
  const named = p.start === p.lastEnd && (p.kind === 'name' || p.kind === 'quote');
  if (!named) return select(p, target, { by: 'attribute' }, reach);
  const found = parseName(p);
  return select(p, target, { ...found, by: 'attribute' }, reach);
}

function parseName(p: Parser): Extract<Selector, { by: 'name' }> {
  const { text, kind } = p;
  const name = parseNameText(p);
  if (kind === 'name' && p.is('#') && p.start === p.lastEnd && /^["'`\w]/.test(p.peek())) {
    p.next();
    return { by: 'name', name: parseNameText(p), namespace: text };
  }
  return { by: 'name', name };
}

function parseNameText(p: Parser): Expr {
  const { start } = p;
  if (p.kind === 'quote') return parseString(p);
  if (p.is('(')) {
    p.next();
    const name = p.expr();
    p.expect(')', 'after the computed name');
    return name;
  }
  if (p.kind !== 'name' && p.kind !== 'number')
    p.fail(`Expected the name of a member after the selector but found ${p.found()}`);
  const value = p.text;
  p.next();
  return { kind: 'string', value, start, end: p.lastEnd };
}

function parseIndex(p: Parser, target: Expr): Expr {
  p.next();
  let selector: Selector;
  let reach: Reach = 'one';
  if (p.accept('?')) selector = { by: 'filter', condition: p.expr() };
  else if (p.accept('*')) {
    reach = 'many';
    selector = p.accept('@') ? { by: 'attribute', name: p.expr() } : { by: 'name', name: p.expr() };
  } else if (p.accept('&')) {
    reach = 'pairs';
    selector = { by: 'name', name: p.expr() };
  } else if (p.accept('@')) {
    if (p.accept('*')) reach = 'many';
    const plain = p.kind === 'name' && /^[#\]]/.test(p.peek());
    selector = plain ? { ...parseName(p), by: 'attribute' } : { by: 'attribute', name: p.expr() };
  } else if (p.accept('^')) selector = { by: 'meta', name: p.expr() };
  else selector = { by: 'index', value: p.expr() };
  p.expect(']', 'to close the selector');
  return select(p, target, selector, reach);
}

function select(p: Parser, target: Expr, selector: Selector, reach: Reach): SelectNode {
  return { kind: 'select', target, selector, reach, start: target.start, end: p.lastEnd };
}
