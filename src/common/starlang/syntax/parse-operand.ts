import type { Expr, LambdaNode, NameNode } from './ast.js';
import { isNamePart, isNameStart, mayBeSpecial, RESERVED } from './chars.js';
import { parseArray, parseBarePair, parseCondition, parseObject } from './parse-object.js';
import { parseDo, parseIf, parseUsing } from './parse-control.js';
import { parseString, parseTemplateParts } from './parse-strings.js';
import { numberLiteral, parseGenerics, parseTypeArgs, scanTypeArgs } from './parse-types.js';
import { parseAnnotations } from './parse-annotations.js';
import { parseParams } from './parse-params.js';
import type { Parser } from './parser.js';
import { regexEnd } from './scanner.js';

const NOT_LEVEL = 2;
const [COLON, AT, HASH, EXCLAMATION, LESS] = [58, 64, 35, 33, 60];

/** One operand, prefix operators and selectors included. */
export function parseOperand(p: Parser): Expr {
  const { start } = p;
  switch (p.kind) {
    case 'name':
      return parseWord(p);
    case 'quote': {
      const text = parseString(p);
      return beginsPair(p) ? parseBarePair(p, text, false) : p.postfix(text, start);
    }
    case 'number': {
      const node = numberLiteral(p);
      return beginsPair(p) ? parseBarePair(p, node, false) : p.postfix(node, start);
    }
    case 'dollar': {
      const level = p.text.length as 1 | 2 | 3;
      p.next();
      return p.postfix({ kind: 'implicit', level, start, end: p.lastEnd }, start);
    }
    case 'end':
      return p.fail('Expected an expression but the script ends here');
    default:
      return parsePunct(p);
  }
}

/** A `:` here makes what was read a key; `::` does not. */
function beginsPair(p: Parser): boolean {
  const { code } = p;
  return code === COLON || (code === AT && p.peek() === '(') || (code === HASH && p.start === p.lastEnd);
}

function parsePunct(p: Parser): Expr {
  const { start } = p;
  switch (p.text) {
    case '(':
      return parseParenthesis(p);
    case '[':
      return p.postfix(parseArray(p), start);
    case '{':
      return p.postfix(parseObject(p), start);
    case '-':
    case '!': {
      const op = p.text;
      p.next();
      const operand = p.operand();
      return { kind: 'unary', op, operand, start, end: operand.end };
    }
    case '/':
      return p.postfix(parseRegex(p), start);
    case '|': {
      const stop = p.source.indexOf('|', start + 1);
      const text = p.source.slice(start + 1, stop);
      if (stop < 0 || text.includes('\n')) p.fail('This date has no closing "|"');
      p.seek(stop + 1);
      return p.postfix({ kind: 'temporal', text: text.trim(), start, end: stop + 1 }, start);
    }
    case '???':
      p.next();
      return { kind: 'unfinished', start, end: p.lastEnd };
    case '<': {
      const generics = parseGenerics(p);
      const lambda = parseLambda(p);
      lambda.generics = generics;
      return lambda;
    }
    case '@':
      parseAnnotations(p);
      return p.operand();
    default:
      return p.fail(`Expected an expression but found ${p.found()}`);
  }
}

export function parseRegex(p: Parser): Expr {
  const { start } = p;
  const stop = regexEnd(p.source, start);
  if (stop < 0) p.fail('This regular expression has no closing "/"');
  const source = p.source.slice(start + 1, stop).replaceAll('\\/', '/');
  p.seek(stop + 1);
  return { kind: 'regex', source, start, end: stop + 1 };
}

function parseParenthesis(p: Parser): Expr {
  const { start } = p;
  if (mayBeParams(p)) {
    const after = p.afterClosing(start);
    if (after === '->') return parseLambda(p);
    if (after.startsWith(':') && after !== '::' && looksLikeParams(p) && returnsArrow(p, start))
      return parseLambda(p);
  }
  p.next();
  const inner = p.expr();
  p.expect(')', 'to close the parenthesis');
  inner.grouped = true;
  if (inner.kind === 'object' && inner.bare) {
    const condition = parseCondition(p);
    if (condition) return conditionalPair(p, inner, condition, start);
  }
  if (beginsPair(p)) return parseBarePair(p, inner, true, start);
  inner.start = start;
  inner.end = p.lastEnd;
  return p.postfix(inner, start);
}

/** `(key: value) if (c)` where no braces stand around it. */
function conditionalPair(p: Parser, value: Expr, condition: Expr, start: number): Expr {
  const at = { start, end: p.lastEnd };
  return { kind: 'object', entries: [{ kind: 'spread', value, condition, ...at }], bare: true, ...at };
}

/** Whatever does not begin as parameters do need not be followed to its closing parenthesis. */
function mayBeParams(p: Parser): boolean {
  const { source } = p;
  let at = p.skip(p.start + 1);
  const first = source.charCodeAt(at);
  if (!isNameStart(first)) return first === 41 || first === 64;
  while (isNamePart(source.charCodeAt(at))) at++;
  return ',:)='.includes(source.charAt(p.skip(at)));
}

function looksLikeParams(p: Parser): boolean {
  return /^\(\s*(?:\)|[A-Za-z_]\w*\s*[,:)=])/.test(p.source.slice(p.start, p.start + 200));
}

/** `(a): Type -> b` against `(key): value`. */
function returnsArrow(p: Parser, open: number): boolean {
  const rest = p.source.slice(p.closing(open) + 1, p.closing(open) + 200);
  return /^\s*:\s*[A-Z]\w*(?:<[\w\s,<>|]*>)?(?:\s*\|\s*[A-Z]\w*)*\s*->/.test(rest);
}

export function parseLambda(p: Parser): LambdaNode {
  const { start } = p;
  const params = parseParams(p);
  const result = p.accept(':') ? p.type() : undefined;
  p.expect('->', 'after the parameters of a function');
  const body = p.expr();
  return { kind: 'lambda', params, body, ...(result ? { result } : {}), start, end: body.end };
}

function parseWord(p: Parser): Expr {
  const { start, text } = p;
  if (mayBeSpecial(text) && !isKey(p)) {
    const follow = p.peek(2);
    switch (text) {
      case 'true':
      case 'false':
        p.next();
        return p.postfix({ kind: 'boolean', value: text === 'true', start, end: p.lastEnd }, start);
      case 'null':
        p.next();
        return p.postfix({ kind: 'null', start, end: p.lastEnd }, start);
      case 'if':
      case 'unless':
        return parseIf(p);
      case 'do':
        return parseDo(p);
      case 'using':
        return parseUsing(p);
      case 'not':
        if (takesOperand(follow)) return parseNot(p);
        break;
    }
    if (RESERVED.has(text) && !(follow === '@(' || follow.startsWith('#')))
      p.fail(
        `Expected an expression but found the reserved word "${text}"`,
        start,
        text.length,
        hintFor(text),
      );
  }
  const name: NameNode = { kind: 'name', name: text, module: [], start, end: p.end };
  p.next();
  if (p.kind === 'name') return name;
  if (
    p.code === EXCLAMATION &&
    p.start === p.lastEnd &&
    /^!\w+::/.test(p.source.slice(p.start, p.start + 80))
  ) {
    p.next();
    name.module.push(`${name.name}!`);
    name.name = p.word('a name after the loader');
  }
  p.qualify(name);
  if (beginsPair(p)) return parseBarePair(p, { kind: 'string', value: text, start, end: name.end }, false);
  if (p.kind === 'quote' && p.text === '`') return p.postfix(interpolatorCall(p, name), start);
  if (p.code === LESS && p.start === p.lastEnd) {
    const close = scanTypeArgs(p.source, p.start);
    if (close > 0) return p.postfix(genericUse(p, name, close), start);
  }
  return p.postfix(name, start);
}

/** Does one colon follow? */
function isKey(p: Parser): boolean {
  const at = p.follow();
  return p.source.charCodeAt(at) === COLON && p.source.charCodeAt(at + 1) !== COLON;
}

function parseNot(p: Parser): Expr {
  const { start } = p;
  p.next();
  const operand = p.expr(NOT_LEVEL);
  return { kind: 'unary', op: 'not', operand, start, end: operand.end };
}

const takesOperand = (follow: string) =>
  /^[\w("'`$[{|!/-]/.test(follow) && follow !== '->' && follow !== '--';

function hintFor(word: string): string | undefined {
  if (word === 'else') return 'an "else" needs an "if" before it';
  if (word === 'fun' || word === 'var' || word === 'output')
    return `"${word}" belongs into the header, before "---"`;
  return undefined;
}

/** compose `http://x/$(p)`: the function gets the literal parts and the values. */
function interpolatorCall(p: Parser, callee: NameNode): Expr {
  const { start } = p;
  const { texts, exprs } = parseTemplateParts(p);
  const at = { start, end: p.lastEnd };
  const parts: Expr[] = texts.map((value) => ({ kind: 'string', value, ...at }));
  const args: Expr[] = [
    { kind: 'array', items: parts.map((value) => ({ value })), ...at },
    { kind: 'array', items: exprs.map((value) => ({ value })), ...at },
  ];
  return { kind: 'call', callee, args, start: callee.start, end: at.end };
}

/** `f<Number>(x)`, or a type with arguments used as a value. */
function genericUse(p: Parser, name: NameNode, close: number): Expr {
  if (p.source[p.skip(close + 1)] === '(') {
    const typeArgs = parseTypeArgs(p);
    const call = p.postfix(name, name.start);
    if (call.kind === 'call') call.typeArgs = typeArgs;
    return call;
  }
  const args = parseTypeArgs(p);
  const at = { start: name.start, end: p.lastEnd };
  return {
    kind: 'typeExpr',
    type: { kind: 'named', name: name.name, module: name.module, args, fields: [], ...at },
    ...at,
  };
}
