import type { Expr, Reach, Selector, SelectNode } from './ast.js';
import { parseString } from './parse-strings.js';
import type { Parser } from './parser.js';
import { codeOf } from './scanner.js';

const [EXCLAMATION, OPEN, DOT, QUESTION, BRACKET] = [33, 40, 46, 63, 91];
const DEEP = codeOf('..');

/** Selectors and calls that follow an operand that begins at `start`. */
export function parsePostfix(p: Parser, operand: Expr, start: number): Expr {
  let expr = operand;
  for (;;) {
    switch (p.code) {
      case DOT:
        expr = parseDot(p, expr, start);
        break;
      case DEEP:
        expr = parseDeep(p, expr, start);
        break;
      case BRACKET:
        expr = parseIndex(p, expr, start);
        break;
      case OPEN:
        expr = parseCall(p, expr, start);
        break;
      case QUESTION:
      case EXCLAMATION:
        if (expr.kind !== 'select' || expr.check || expr.grouped) return expr;
        expr = { ...expr, check: p.code === QUESTION ? '?' : '!', end: p.end };
        p.next();
        break;
      default:
        return expr;
    }
  }
}

function parseCall(p: Parser, callee: Expr, start: number): Expr {
  p.next();
  const args: Expr[] = [];
  while (!p.is(')') && p.kind !== 'end') {
    const arg = p.recover(parseArgument, COMMA);
    if (arg) args.push(arg);
    if (!p.accept(',')) break;
  }
  if (!p.is(')')) p.fail(`Expected "," or ")" in the arguments but found ${p.found()}`);
  p.next();
  return { kind: 'call', callee, args, start, end: p.lastEnd };
}

const COMMA = [','];
const parseArgument = (p: Parser) => p.expr();

function parseDot(p: Parser, target: Expr, start: number): Expr {
  p.next();
  if (p.code === 0) return select(p, target, start, parseName(p), 'one');
  if (p.is('*')) {
    p.next();
    return p.is('@')
      ? parseAttribute(p, target, start, 'many')
      : select(p, target, start, parseName(p), 'many');
  }
  if (p.is('&')) {
    p.next();
    return select(p, target, start, parseName(p), 'pairs');
  }
  if (p.is('@')) return parseAttribute(p, target, start, 'one');
  if (p.is('#')) {
    p.next();
    return select(p, target, start, { by: 'namespace' }, 'one');
  }
  if (p.is('^')) {
    p.next();
    const named = p.start === p.lastEnd && (p.kind === 'name' || p.kind === 'quote');
    return select(p, target, start, named ? { by: 'meta', name: parseNameText(p) } : { by: 'meta' }, 'one');
  }
  return select(p, target, start, parseName(p), 'one');
}

function parseDeep(p: Parser, target: Expr, start: number): Expr {
  const dots = p.end;
  p.next();
  if (p.start === dots) {
    if (p.is('*')) {
      p.next();
      return select(p, target, start, parseName(p), 'deepMany');
    }
    if (p.is('&')) {
      p.next();
      return select(p, target, start, parseName(p), 'deepPairs');
    }
    if (p.is('@')) return parseAttribute(p, target, start, 'deep');
    if (p.kind === 'name' || p.kind === 'quote') return select(p, target, start, parseName(p), 'deep');
  }
  return select(p, target, start, { by: 'descendants' }, 'deep');
}

function parseAttribute(p: Parser, target: Expr, start: number, reach: Reach): Expr {
  p.next();
  const named = p.start === p.lastEnd && (p.kind === 'name' || p.kind === 'quote');
  if (!named) return select(p, target, start, { by: 'attribute' }, reach);
  const found = parseName(p);
  return select(p, target, start, { ...found, by: 'attribute' }, reach);
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

function parseIndex(p: Parser, target: Expr, start: number): Expr {
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
  return select(p, target, start, selector, reach);
}

function select(p: Parser, target: Expr, start: number, selector: Selector, reach: Reach): SelectNode {
  return { kind: 'select', target, selector, reach, start, end: p.lastEnd };
}
