import { problemAt, type Problem } from '../errors/problem.js';
import type { BinaryOp, CallNode, Document, Expr, NameNode } from './ast.js';
import { mayBeSpecial, RESERVED } from './chars.js';
import { habitHint } from './habits.js';
import { parseDocument } from './parse-directives.js';
import { parseMatch, parseUpdate } from './parse-match.js';
import { parseOperand } from './parse-operand.js';
import { parsePostfix } from './parse-selectors.js';
import { parseType } from './parse-types.js';
import { codeOf, CODES, Scanner } from './scanner.js';

/** Ends the parse of one construct; the nearest list or directive goes on after it. */
export class SyntaxAbort extends Error {}

/** Loosest first. Everything infix that is a function shares one flat level, below `or`. */
export const LEVEL = {
  lowest: 0,
  infix: 1,
  or: 2,
  and: 3,
  equality: 4,
  order: 5,
  sum: 6,
  product: 7,
  as: 8,
  unary: 9,
};

/** Binary operators that are punctuation. */
const BINARY: Readonly<Partial<Record<BinaryOp, number>>> = {
  '==': LEVEL.equality,
  '!=': LEVEL.equality,
  '~=': LEVEL.equality,
  '<': LEVEL.order,
  '>': LEVEL.order,
  '<=': LEVEL.order,
  '>=': LEVEL.order,
  '+': LEVEL.sum,
  '-': LEVEL.sum,
  '<<': LEVEL.sum,
  '>>': LEVEL.sum,
  '*': LEVEL.product,
  '/': LEVEL.product,
};

/** The same by code; level 0: no such operator. */
const LEVEL_OF = new Uint8Array(CODES);
const OP_OF: BinaryOp[] = [];
for (const [text, level] of Object.entries(BINARY)) {
  LEVEL_OF[codeOf(text)] = level;
  OP_OF[codeOf(text)] = text as BinaryOp;
}

const [COLONS, CONCAT, REMOVE, META] = [codeOf('::'), codeOf('++'), codeOf('--'), codeOf('<~')];

const DEEPEST = 400;
const MOST_PROBLEMS = 20;

/** Pratt parser over the scanner. The constructs live in the parse-*.ts files, which get the parser as `p`. */
export class Parser extends Scanner {
  readonly problems: Problem[] = [];
  /** Inside a header or `do` block, where a word may begin the next directive. */
  inHeader = false;
  private nesting = 0;

  document(): Document {
    return parseDocument(this);
  }

  expr(min = LEVEL.lowest): Expr {
    if (++this.nesting > DEEPEST) this.fail('This expression is nested too deeply');
    const { start } = this;
    const expr = this.infix(parseOperand(this), min, start);
    this.nesting--;
    return expr;
  }

  /** A tight operand: a primary with its prefix signs, selectors and calls. */
  operand(): Expr {
    return parseOperand(this);
  }

  /** Selectors and calls after an operand that begins at `start`. */
  postfix(expr: Expr, start: number): Expr {
    return this.kind === 'punct' ? parsePostfix(this, expr, start) : expr;
  }

  type() {
    return parseType(this);
  }

  /** What follows an operand that begins at `start`. */
  private infix(operand: Expr, min: number, start: number): Expr {
    let left = operand;
    for (;;) {
      if (this.kind === 'punct') {
        const { code } = this;
        const level = LEVEL_OF[code] as number;
        if (level !== 0) {
          if (level < min) return left;
          left = this.binary(left, start, level, OP_OF[code] as BinaryOp);
        } else if (min > LEVEL.infix) return left;
        else if (code === CONCAT || code === REMOVE) left = this.infixCall(left, start);
        else if (code === META) {
          this.next();
          const meta = this.operand();
          left = { kind: 'metadata', operand: left, meta, start, end: this.lastEnd };
        } else return left;
      } else if (this.kind === 'name') {
        if (!mayBeSpecial(this.text)) {
          if (min > LEVEL.infix) return left;
          left = this.infixCall(left, start);
          continue;
        }
        if (this.text === 'and' || this.text === 'or') {
          const op = this.text;
          if (LEVEL[op] < min) return left;
          left = this.binary(left, start, LEVEL[op], op);
        } else if (this.text === 'as' || this.text === 'is') {
          const kind = this.text;
          this.next();
          const type = this.type();
          left = { kind, operand: left, type, start, end: this.lastEnd };
        } else if (min > LEVEL.infix) return left;
        else if (this.text === 'default') left = this.binary(left, start, LEVEL.infix, 'default');
        else if (RESERVED.has(this.text) || this.beginsDirective()) return left;
        else if (this.text === 'match' && this.peek() === '{') left = parseMatch(this, left);
        else if (this.text === 'update' && this.peek() === '{') left = parseUpdate(this, left);
        else left = this.infixCall(left, start);
      } else return left;
    }
  }

  private binary(left: Expr, start: number, level: number, op: BinaryOp): Expr {
    this.next();
    const right = this.expr(level + 1);
    return { kind: 'binary', op, left, right, start, end: this.lastEnd };
  }

  private infixCall(left: Expr, start: number): CallNode {
    const { code } = this;
    const callee: NameNode = { kind: 'name', name: this.text, module: [], start: this.start, end: this.end };
    this.next();
    if (code !== CONCAT && code !== REMOVE) this.qualify(callee);
    const right = this.expr(LEVEL.infix + 1);
    return { kind: 'call', callee, args: [left, right], infix: true, start, end: this.lastEnd };
  }

  /** Reads `::b::c` after a name. */
  qualify(name: NameNode): void {
    while (this.code === COLONS) {
      this.next();
      name.module.push(name.name);
      name.name = this.word('a name after "::"');
      name.end = this.lastEnd;
    }
  }

  /** `annotation` is no reserved word, yet begins a directive on its own line. */
  private beginsDirective(): boolean {
    return (
      this.inHeader &&
      this.text === 'annotation' &&
      this.source.slice(this.lastEnd, this.start).includes('\n')
    );
  }

  is(punct: string): boolean {
    return this.kind === 'punct' && this.text === punct;
  }

  isWord(word: string): boolean {
    return this.kind === 'name' && this.text === word;
  }

  accept(text: string): boolean {
    if (this.text !== text || this.kind === 'quote' || this.kind === 'end') return false;
    this.next();
    return true;
  }

  expect(text: string, where: string): void {
    if (!this.accept(text)) this.fail(`Expected "${text}" ${where} but found ${this.found()}`);
  }

  /** Any word, reserved ones too. */
  word(what: string): string {
    if (this.kind !== 'name') this.fail(`Expected ${what} but found ${this.found()}`);
    const { text } = this;
    this.next();
    return text;
  }

  /** A word that may name a variable. */
  identifier(what: string): string {
    if (this.kind === 'name' && RESERVED.has(this.text))
      this.fail(`"${this.text}" is a reserved word and cannot be ${what}`);
    return this.word(what);
  }

  found(): string {
    return this.kind === 'end' ? 'the end of the script' : `"${this.text}"`;
  }

  report(
    message: string,
    start = this.start,
    length = Math.max(1, this.end - this.start),
    hint = habitHint(this.source, start),
  ): void {
    if (this.problems.length >= MOST_PROBLEMS || this.problems.some((known) => known.offset === start))
      return;
    this.problems.push(
      problemAt(this.source, start, 'syntax', message, { length, ...(hint ? { hint } : {}) }),
    );
  }

  fail(message: string, start?: number, length?: number, hint?: string): never {
    this.report(message, start, length, hint);
    throw new SyntaxAbort(message);
  }

  /** Runs `part`; when it breaks, skips to one of `stops` at this bracket depth (or the closing bracket). */
  recover<T>(part: (p: this) => T, stops: readonly string[]): T | undefined {
    const nesting = this.nesting;
    const before = this.start;
    try {
      return part(this);
    } catch (error) {
      if (!(error instanceof SyntaxAbort)) throw error;
      this.nesting = nesting;
      if (this.start < before) this.seek(before);
      this.skipTo(stops);
      return undefined;
    }
  }

  private skipTo(stops: readonly string[]): void {
    let depth = 0;
    for (; this.kind !== 'end'; this.next()) {
      if (depth === 0 && stops.includes(this.text)) return;
      if (this.kind !== 'punct') continue;
      if ('([{'.includes(this.text)) depth++;
      else if (')]}'.includes(this.text) && depth-- === 0) return;
    }
  }
}
