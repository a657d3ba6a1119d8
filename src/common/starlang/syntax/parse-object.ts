import type { ArrayItem, ArrayNode, Entry, Expr, Key, ObjectNode } from './ast.js';
import { parseString } from './parse-strings.js';
import type { Parser } from './parser.js';

const COMMA = [','];
const COLON = 58;

export function parseArray(p: Parser): ArrayNode {
  const { start } = p;
  p.next();
  const items: ArrayItem[] = [];
  let rest: Expr | undefined;
  while (!p.is(']') && p.kind !== 'end') {
    const item = p.recover(parseItem, COMMA);
    if (item) items.push(item);
    if (p.accept('~')) {
      rest = p.expr();
      break;
    }
    if (!p.accept(',')) break;
  }
  p.expect(']', 'to close the array');
  const end = p.lastEnd;
  return rest ? { kind: 'array', items, rest, start, end } : { kind: 'array', items, start, end };
}

function parseItem(p: Parser): ArrayItem {
  const value = p.expr();
  const condition = parseCondition(p);
  return condition ? { value, condition } : { value };
}

export function parseObject(p: Parser): ObjectNode {
  const { start } = p;
  const closer = p.source[start + 1] === '|' ? '|' : p.source[start + 1] === '-' ? '-' : undefined;
  const state: { rest?: Expr } = {};
  if (closer) p.next();
  const entries = parseEntries(p, closer ?? '{', '}', ':', state, closer);
  const { rest } = state;
  const end = p.lastEnd;
  return rest ? { kind: 'object', entries, rest, start, end } : { kind: 'object', entries, start, end };
}

/** The entries of an object, attributes `@( … )` or annotation arguments. */
export function parseEntries(
  p: Parser,
  open: string,
  close: string,
  separator: ':' | '=',
  state: { rest?: Expr } = {},
  inner?: string,
): Entry[] {
  p.expect(open, 'to open');
  const entries: Entry[] = [];
  const atEnd = () => p.is(close) || (inner !== undefined && p.is(inner) && p.source[p.end] === close);
  while (!atEnd() && p.kind !== 'end') {
    const entry = p.recover(separator === ':' ? parsePair : parseSetting, COMMA);
    if (entry) entries.push(entry);
    if (p.accept('~')) {
      state.rest = p.expr();
      break;
    }
    if (!p.accept(',')) break;
  }
  if (inner) p.accept(inner);
  if (!p.is(close)) p.fail(`Expected "," or "${close}" but found ${p.found()}`);
  p.next();
  return entries;
}

const parsePair = (p: Parser) => parseEntry(p, ':');
const parseSetting = (p: Parser) => parseEntry(p, '=');

function parseEntry(p: Parser, separator: ':' | '='): Entry {
  const { start } = p;
  if (p.is('(')) {
    const after = p.afterClosing(start);
    const dynamic = after === '@(' || (after.startsWith(separator) && after !== '::' && after !== '==');
    if (!dynamic) return parseSpread(p);
  }
  const key = parseKey(p);
  if (!p.is(separator)) {
    const hint = separator === ':' ? 'an object is {key: value}; to spread a value write (value)' : undefined;
    p.fail(`Expected "${separator}" after the key but found ${p.found()}`, p.start, undefined, hint);
  }
  p.next();
  const value = p.expr();
  const condition = parseCondition(p);
  const end = p.lastEnd;
  return condition
    ? { kind: 'pair', key, value, condition, start, end }
    : { kind: 'pair', key, value, start, end };
}

/** `(expr)`, `(k: v) if c`: its parenthesis may also hold several pairs. */
function parseSpread(p: Parser): Entry {
  const { start } = p;
  p.next();
  let value = p.expr();
  if (p.is(',') && value.kind === 'object' && value.bare) {
    const entries = [...value.entries];
    while (p.accept(',') && !p.is(')')) {
      const more = p.expr();
      entries.push(
        ...(more.kind === 'object' && more.bare
          ? more.entries
          : [{ kind: 'spread' as const, value: more, start: more.start, end: more.end }]),
      );
    }
    value = { ...value, entries, end: p.lastEnd };
  }
  p.expect(')', 'to close the parenthesis');
  const condition = parseCondition(p);
  return { kind: 'spread', value, ...(condition ? { condition } : {}), start, end: p.lastEnd };
}

/** The condition of a conditional entry or item: `if (c)`, `if c`, `unless (c)`. */
export function parseCondition(p: Parser): Expr | undefined {
  if (p.kind !== 'name') return undefined;
  if (p.isWord('if')) {
    p.next();
    return p.expr();
  }
  if (p.isWord('unless')) {
    const { start } = p;
    p.next();
    const operand = p.expr();
    return { kind: 'unary', op: 'not', operand, start, end: operand.end };
  }
  return undefined;
}

export function parseKey(p: Parser): Key {
  const { start } = p;
  if (p.is('(')) {
    p.next();
    const name = p.expr();
    p.expect(')', 'after the computed key');
    return finishKey(p, { name, dynamic: true, start, end: p.lastEnd });
  }
  const name = parseKeyName(p);
  return finishKey(p, { name, dynamic: false, start, end: p.lastEnd });
}

function parseKeyName(p: Parser): Expr {
  const { start } = p;
  if (p.kind === 'quote') return parseString(p);
  if (p.kind !== 'name' && p.kind !== 'number') p.fail(`Expected a key but found ${p.found()}`);
  const value = p.text;
  p.next();
  return { kind: 'string', value, start, end: p.lastEnd };
}

/** Namespace and attributes of a key whose name is read: `ns#name @(a: 1)`. */
function finishKey(p: Parser, key: Key): Key {
  if (p.code === COLON) return key;
  if (p.is('#') && p.start === p.lastEnd && key.name.kind === 'string') {
    p.next();
    key.namespace = key.name.value;
    if (p.is('(')) {
      p.next();
      key.name = p.expr();
      key.dynamic = true;
      p.expect(')', 'after the computed key');
    } else key.name = parseKeyName(p);
  }
  if (p.is('@') && p.peek() === '(') {
    p.next();
    key.attributes = parseEntries(p, '(', ')', ':');
  }
  if (p.is('?') || p.is('*')) p.next();
  key.end = p.lastEnd;
  return key;
}

/** A pair without braces is a legal operand: `users: list map …`. The key has been read. */
export function parseBarePair(p: Parser, name: Expr, dynamic: boolean, start = name.start): ObjectNode {
  const key = finishKey(p, { name, dynamic, start, end: p.lastEnd });
  p.expect(':', 'after the key');
  const value = p.expr();
  const entry: Entry = { kind: 'pair', key, value, start, end: p.lastEnd };
  return { kind: 'object', entries: [entry], bare: true, start, end: p.lastEnd };
}
