import { MOST_DIGITS, parseNumber } from '../numbers/decimal.js';
import type { Expr, Generic, NamedType, ObjectTypeField, TypeNode } from './ast.js';
import { parseAnnotations } from './parse-annotations.js';
import { parseObject } from './parse-object.js';
import { parseString } from './parse-strings.js';
import type { Parser } from './parser.js';

/** A type expression: unions of intersections of single types. */
export function parseType(p: Parser): TypeNode {
  return list(p, '|', 'union', () => list(p, '&', 'intersection', () => parseSingle(p)));
}

function list(p: Parser, sign: '|' | '&', kind: 'union' | 'intersection', one: () => TypeNode): TypeNode {
  const { start } = p;
  const first = one();
  if (!p.is(sign) || p.source[p.end] === '}') return first;
  const members = [first];
  while (p.is(sign) && p.source[p.end] !== '}') {
    p.next();
    members.push(one());
  }
  return { kind, members, start, end: p.lastEnd };
}

function parseSingle(p: Parser): TypeNode {
  parseAnnotations(p);
  const { start } = p;
  let type: TypeNode;
  if (p.is('(')) type = parseParenthesised(p);
  else if (p.is('{')) type = parseObjectType(p);
  else if (p.kind === 'quote') type = literal(start, p, parseString(p));
  else if (p.kind === 'number') type = literal(start, p, numberLiteral(p));
  else if (p.isWord('true') || p.isWord('false')) {
    const value: Expr = { kind: 'boolean', value: p.text === 'true', start, end: p.end };
    p.next();
    type = literal(start, p, value);
  } else if (p.is('?') || p.is('???')) {
    p.next();
    type = { kind: 'named', name: 'Any', module: [], args: [], fields: [], start, end: p.lastEnd };
  } else type = parseNamed(p);
  if (p.is('{') && type.kind !== 'objectType') type.meta = parseObject(p);
  else if (p.is('<~')) {
    p.next();
    type.meta = parseObject(p);
  }
  type.end = p.lastEnd;
  return type;
}

function literal(start: number, p: Parser, value: Expr): TypeNode {
  return { kind: 'literalType', value, start, end: p.lastEnd };
}

/** The longest numeral that is surely no larger than the decimals the language has. */
const SHORT_NUMERAL = 15;

/** @throws when the number has more digits than the language keeps: it would be another one */
export function numberLiteral(p: Parser): Expr {
  const node: Expr = { kind: 'number', text: p.text, start: p.start, end: p.end };
  if ((node.text.length > SHORT_NUMERAL || /e/i.test(node.text)) && parseNumber(node.text) === undefined)
    p.fail(
      `The number ${node.text.length > 30 ? `${node.text.slice(0, 30)}…` : node.text} has more than ${MOST_DIGITS} digits`,
      node.start,
      node.text.length,
    );
  p.next();
  return node;
}

function parseNamed(p: Parser): NamedType {
  const { start } = p;
  const type: NamedType = {
    kind: 'named',
    name: p.word('a type'),
    module: [],
    args: [],
    fields: [],
    start,
    end: 0,
  };
  while (p.accept('::')) {
    type.module.push(type.name);
    type.name = p.word('a type after "::"');
  }
  if (p.is('<')) type.args = parseTypeArgs(p);
  while (p.is('.') && p.start === p.lastEnd) {
    p.next();
    type.fields.push(fieldName(p));
  }
  type.end = p.lastEnd;
  return type;
}

function fieldName(p: Parser): string {
  if (p.peek() === '#') {
    const prefix = p.text;
    p.next();
    p.next();
    return `${prefix}#${fieldName(p)}`;
  }
  return p.kind === 'quote' ? quotedName(p) : p.word('a field of the type');
}

function quotedName(p: Parser): string {
  const text = parseString(p);
  return text.kind === 'string' ? text.value : p.fail('A field of a type cannot interpolate', text.start);
}

/** `<A, B>`; splits a `>>` that closes two lists. */
export function parseTypeArgs(p: Parser): TypeNode[] {
  p.expect('<', 'before the type arguments');
  const args: TypeNode[] = [];
  while (!p.is('>') && !p.is('>>') && p.kind !== 'end') {
    args.push(parseType(p));
    if (!p.accept(',')) break;
  }
  closeAngle(p);
  return args;
}

function closeAngle(p: Parser): void {
  if (p.is('>>') || p.is('>=')) {
    p.seek(p.start + 1);
    return;
  }
  p.expect('>', 'to close the type arguments');
}

/** `<T, U <: Bound>` */
export function parseGenerics(p: Parser): Generic[] {
  if (!p.accept('<')) return [];
  const generics: Generic[] = [];
  while (!p.is('>') && p.kind !== 'end') {
    const generic: Generic = { name: p.identifier('a type parameter') };
    if (p.accept('<')) {
      p.expect(':', 'in the bound of a type parameter');
      generic.bound = parseType(p);
    }
    generics.push(generic);
    if (!p.accept(',')) break;
  }
  closeAngle(p);
  return generics;
}

function parseParenthesised(p: Parser): TypeNode {
  const { start } = p;
  const arrow = p.afterClosing(start) === '->';
  p.next();
  if (!arrow) {
    const inner = parseType(p);
    p.expect(')', 'to close the type');
    return inner;
  }
  const params: { name?: string; type: TypeNode; optional?: boolean }[] = [];
  while (!p.is(')') && p.kind !== 'end') {
    parseAnnotations(p);
    const follow = p.peek(2);
    const named = p.kind === 'name' && ((follow.startsWith(':') && follow !== '::') || follow === '?:');
    if (named) {
      const name = p.word('a parameter');
      const optional = p.accept('?');
      p.expect(':', 'after the parameter');
      params.push({ name, type: parseType(p), ...(optional ? { optional } : {}) });
    } else params.push({ type: parseType(p) });
    if (p.accept('=')) p.operand();
    if (!p.accept(',')) break;
  }
  p.expect(')', 'after the parameter types');
  p.expect('->', 'after the parameter types');
  const result = parseType(p);
  return { kind: 'functionType', params, result, start, end: p.lastEnd };
}

function parseObjectType(p: Parser): TypeNode {
  const { start } = p;
  p.next();
  const ordered = p.is('-') && p.start === start + 1 && (p.next(), true);
  const closed = p.is('|') && (p.next(), true);
  const fields: ObjectTypeField[] = [];
  const atEnd = () => p.is('}') || ((p.is('|') || p.is('-')) && p.source[p.end] === '}') || p.kind === 'end';
  while (!atEnd()) {
    parseAnnotations(p);
    fields.push(parseField(p));
    if (!p.accept(',')) break;
  }
  p.accept('|');
  p.accept('-');
  p.expect('}', 'to close the object type');
  return { kind: 'objectType', fields, closed, ordered, start, end: p.lastEnd };
}

function parseField(p: Parser): ObjectTypeField {
  const field: Partial<ObjectTypeField> = {};
  if (p.accept('(')) {
    field.nameType = parseType(p);
    p.expect(')', 'after the key type');
  } else if (p.kind === 'quote') field.name = quotedName(p);
  else {
    const name = p.word('the name of a field');
    if (p.accept('#')) {
      field.namespace = name;
      field.name = fieldName(p);
    } else if (name !== '_') field.name = name;
  }
  if (p.is('@') && p.peek() === '(') {
    p.next();
    skipAttributes(p);
  }
  let optional = false;
  let repeated = false;
  while (p.is('?') || p.is('*')) {
    if (p.is('?')) optional = true;
    else repeated = true;
    p.next();
  }
  p.expect(':', 'after the field');
  return { ...field, type: parseType(p), optional, repeated };
}

/** Attributes of a field are accepted and not checked: a value of the type may lack them. */
function skipAttributes(p: Parser): void {
  const close = p.closing(p.start);
  if (close < 0) p.fail('These attributes have no closing ")"');
  p.seek(close + 1);
}

/** Offset of the `>` that closes the `<` at `open` when only a type list stands between; else -1. */
export function scanTypeArgs(source: string, open: number): number {
  let depth = 0;
  for (let at = open; at < source.length && at < open + 300; at++) {
    const c = source[at] ?? '';
    if (c === '<') depth++;
    else if (c === '>') {
      if (--depth === 0) return at;
    } else if (!/[\w\s,|:{}?"*()-]/.test(c)) return -1;
  }
  return -1;
}
