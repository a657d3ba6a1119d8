import type { Expr, MatchCase, MatchNode, Pattern, UpdateCase, UpdateNode, UpdateStep } from './ast.js';
import { parseGuard } from './parse-control.js';
import { parseRegex } from './parse-operand.js';
import { parseString } from './parse-strings.js';
import type { Parser } from './parser.js';

const GUARD_LEVEL = 1;

export function parseMatch(p: Parser, subject: Expr): MatchNode {
  p.next();
  const cases = parseCases(p, parseMatchCase);
  return { kind: 'match', subject, cases, start: subject.start, end: p.lastEnd };
}

export function parseUpdate(p: Parser, subject: Expr): UpdateNode {
  p.next();
  const cases = parseCases(p, parseUpdateCase);
  return { kind: 'update', subject, cases, start: subject.start, end: p.lastEnd };
}

function parseCases<T>(p: Parser, one: (p: Parser) => T): T[] {
  p.expect('{', 'to open the cases');
  const cases: T[] = [];
  while (!p.is('}') && p.kind !== 'end') {
    const found = p.recover(() => one(p), ['case', 'else']);
    if (found) cases.push(found);
    p.accept(',');
  }
  p.expect('}', 'to close the cases');
  return cases;
}

function parseMatchCase(p: Parser): MatchCase {
  const { start } = p;
  let pattern: Pattern;
  if (p.accept('else')) {
    pattern = p.kind === 'name' ? { kind: 'bind', name: p.identifier('a name') } : { kind: 'any' };
  } else {
    p.expect('case', 'in the match');
    pattern = parsePattern(p);
  }
  const guard = parseCaseGuard(p);
  p.expect('->', 'after the pattern');
  const body = p.expr();
  return { pattern, body, ...(guard ? { guard } : {}), start, end: p.lastEnd };
}

function parseCaseGuard(p: Parser): Expr | undefined {
  if (!p.isWord('if') && !p.isWord('unless')) return undefined;
  const negated = p.isWord('unless');
  const { start } = p;
  p.next();
  const operand =
    p.is('(') && p.afterClosing(p.start) === '->' ? parseGuard(p, 'after "if"') : p.expr(GUARD_LEVEL);
  return negated ? { kind: 'unary', op: 'not', operand, start, end: operand.end } : operand;
}

function parsePattern(p: Parser): Pattern {
  if (p.accept('is')) return { kind: 'type', type: p.type() };
  if (p.isWord('matches')) {
    p.next();
    return { kind: 'regex', value: patternRegex(p) };
  }
  if (p.is('[')) return parseArrayPattern(p);
  if (p.is('{')) return parseObjectPattern(p);
  const literalWord = p.isWord('true') || p.isWord('false') || p.isWord('null');
  if (p.kind !== 'name' || literalWord || p.peek(2) === '::') return { kind: 'literal', value: p.operand() };
  const name = p.identifier('a name');
  if (p.accept(':')) return { kind: 'literal', name, value: p.operand() };
  if (p.accept('is')) return { kind: 'type', name, type: p.type() };
  if (p.isWord('matches')) {
    p.next();
    return { kind: 'regex', name, value: patternRegex(p) };
  }
  return { kind: 'bind', name };
}

const patternRegex = (p: Parser): Expr => (p.is('/') ? parseRegex(p) : p.operand());

function parseArrayPattern(p: Parser): Pattern {
  p.next();
  const pattern: Pattern = { kind: 'array' };
  if (!p.is(']')) {
    pattern.head = p.identifier('the name of the first item');
    p.expect('~', 'between the first item and the rest');
    pattern.tail = p.identifier('the name of the rest');
  }
  p.expect(']', 'to close the pattern');
  return pattern;
}

function parseObjectPattern(p: Parser): Pattern {
  p.next();
  const pattern: Pattern = { kind: 'object' };
  if (!p.is('}')) {
    pattern.key = p.identifier('the name of the first key');
    p.expect(':', 'between key and value');
    pattern.value = p.identifier('the name of the first value');
    p.expect('~', 'between the first pair and the rest');
    pattern.tail = p.identifier('the name of the rest');
  }
  p.expect('}', 'to close the pattern');
  return pattern;
}

function parseUpdateCase(p: Parser): UpdateCase {
  const { start } = p;
  p.expect('case', 'in the update');
  const found: UpdateCase = { path: [], upsert: false, body: NOTHING, start, end: start };
  if (p.accept('(')) {
    found.name = p.identifier('the name of the value');
    if (p.accept(',')) found.indexName = p.identifier('the name of the index');
    p.expect(')', 'after the names');
    p.expect('at', 'before the path');
  } else if (p.kind === 'name') {
    found.name = p.identifier('the name of the value');
    p.expect('at', 'before the path');
  }
  while (p.is('.') || p.is('[')) found.path.push(parseStep(p));
  if (found.path.length === 0) p.fail(`Expected a path such as .name but found ${p.found()}`);
  found.upsert = p.accept('!');
  const guard = parseCaseGuard(p);
  if (guard) found.guard = guard;
  p.expect('->', 'after the path');
  found.body = p.expr();
  found.end = p.lastEnd;
  return found;
}

const NOTHING: Expr = { kind: 'null', start: 0, end: 0 };

function parseStep(p: Parser): UpdateStep {
  const { start } = p;
  if (p.accept('[')) {
    const key = p.expr();
    p.expect(']', 'to close the index');
    return { by: 'index', key, start, end: p.lastEnd };
  }
  p.next();
  const by = p.accept('@') ? 'attribute' : p.accept('*') ? 'many' : 'name';
  const { text, kind } = p;
  let key = stepName(p);
  let namespace: string | undefined;
  if (kind === 'name' && p.is('#') && p.start === p.lastEnd) {
    p.next();
    namespace = text;
    key = stepName(p);
  }
  return { by, key, ...(namespace ? { namespace } : {}), start, end: p.lastEnd };
}

function stepName(p: Parser): Expr {
  if (p.kind === 'quote') return parseString(p);
  const { start } = p;
  const value = p.word('a member name');
  return { kind: 'string', value, start, end: p.lastEnd };
}
