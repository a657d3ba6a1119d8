import { isDigit, isNamePart, isNameStart, isSpace } from './chars.js';

export type TokenKind = 'end' | 'name' | 'number' | 'quote' | 'dollar' | 'punct';

const LONG = ['---', '???', '->', '==', '!=', '~=', '<=', '>=', '<<', '>>', '++', '--', '::', '<~', '..'];
/** Texts of punctuation by code: of one character its own, of longer ones from 128 on. */
const TEXTS = [...Array.from({ length: 128 }, (_, c) => String.fromCharCode(c)), ...LONG];
/** More codes than there are. */
export const CODES = 160;
/** The code of punctuation. */
export const codeOf = (text: string): number =>
  text.length === 1 ? text.charCodeAt(0) : 128 + LONG.indexOf(text);

/** By the first two characters, 7 bits each: the code of the punctuation that begins so, else 0. */
const BY_PAIR = new Uint8Array(1 << 14);
for (const text of LONG.toReversed()) BY_PAIR[(text.charCodeAt(0) << 7) | text.charCodeAt(1)] = codeOf(text);
const [DASHES, REMOVE, UNFINISHED] = [codeOf('---'), codeOf('--'), codeOf('???')];

/** The code of the longer punctuation that begins at `at` with `first`, else 0. */
function longAt(codes: Uint16Array, at: number, first: number): number {
  const second = codes[at + 1] as number;
  if (second > 127) return 0;
  const code = BY_PAIR[(first << 7) | second] as number;
  if (code === DASHES) return codes[at + 2] === first ? code : REMOVE;
  if (code === UNFINISHED) return codes[at + 2] === first ? code : 0;
  return code;
}

/** Scripts up to this length share one array, since making one costs as much as scanning many tokens. */
const SHARED = 16_384;
let spare: Uint16Array | undefined = new Uint16Array(SHARED);

function codesOf(source: string): Uint16Array {
  const { length } = source;
  const codes = spare && length + 4 <= SHARED ? spare : new Uint16Array(length + 4);
  if (codes === spare) spare = undefined;
  for (let i = 0; i < length; i++) codes[i] = source.charCodeAt(i);
  codes.fill(0, length, length + 4);
  return codes;
}

/**
 * One token at a time, on demand. What `/`, `|` and a quote begin depends on whether an operand is
 * expected, which only the parser knows: it reads those itself from `start` and then calls `seek`.
 */
export class Scanner {
  kind: TokenKind = 'end';
  /** Text of a name, number or punctuation; the quote character of a string. */
  text = '';
  /** Of punctuation, see {@link codeOf}; 0 of every other token. */
  code = 0;
  start = 0;
  end = 0;
  /** Where the token before this one ended. */
  lastEnd = 0;
  private brackets: Map<number, number> | undefined;

  /** The characters of the source by code, and zeros behind them. */
  private readonly codes: Uint16Array;

  constructor(readonly source: string) {
    this.codes = codesOf(source);
    this.seek(0);
    this.lastEnd = 0;
  }

  /** Nothing is scanned any more. */
  release(): void {
    if (this.codes.length === SHARED) spare = this.codes;
  }

  next(): void {
    this.lastEnd = this.end;
    this.scan(this.end);
  }

  /** Continues at `offset`, after the parser has read raw text up to there. */
  seek(offset: number): void {
    this.lastEnd = offset;
    this.scan(offset);
  }

  /** Offset of the first character at or after `at` that is neither blank nor comment. */
  skip(at: number): number {
    const { source, codes } = this;
    for (;;) {
      const c = codes[at] as number;
      if (isSpace(c)) at++;
      else if (c === 47 && (codes[at + 1] as number) === 47) {
        const stop = source.indexOf('\n', at);
        at = stop < 0 ? source.length : stop;
      } else if (c === 47 && (codes[at + 1] as number) === 42) {
        const stop = source.indexOf('*/', at + 2);
        at = stop < 0 ? source.length : stop + 2;
      } else return at;
    }
  }

  private scan(from: number): void {
    const { source, codes } = this;
    let at = from;
    let c = codes[at] as number;
    // Most tokens stand next to each other or one blank apart.
    if (c === 32) c = codes[++at] as number;
    if (c <= 32 || c === 47 || c > 127) {
      at = this.skip(at);
      c = codes[at] as number;
    }
    this.start = at;
    let end = at + 1;
    if (isNameStart(c)) {
      while (isNamePart(codes[end] as number)) end++;
      this.kind = 'name';
      this.code = 0;
      this.text = source.slice(at, end);
    } else if (isDigit(c)) {
      end = this.numberEnd(at);
      this.kind = 'number';
      this.code = 0;
      this.text = source.slice(at, end);
    } else if (c === 34 || c === 39 || c === 96) {
      this.kind = 'quote';
      this.code = 0;
      this.text = TEXTS[c] as string;
    } else if (c === 36) {
      while ((codes[end] as number) === 36 && end - at < 3) end++;
      this.kind = 'dollar';
      this.code = 0;
      this.text = end === at + 1 ? '$' : source.slice(at, end);
    } else if (at >= source.length) {
      end = at;
      this.kind = 'end';
      this.code = 0;
      this.text = '';
    } else {
      this.kind = 'punct';
      this.code = c < 128 ? longAt(codes, at, c) || c : 0;
      this.text = c < 128 ? (TEXTS[this.code] as string) : source.slice(at, end);
      end = at + this.text.length;
    }
    this.end = end;
  }

  private numberEnd(at: number): number {
    const { codes } = this;
    while (isDigit(codes[at] as number)) at++;
    if ((codes[at] as number) === 46 && isDigit(codes[at + 1] as number)) {
      at++;
      while (isDigit(codes[at] as number)) at++;
    }
    const e = codes[at] as number;
    if (e === 101 || e === 69) {
      const sign = codes[at + 1] as number;
      const digits = sign === 43 || sign === 45 ? at + 2 : at + 1;
      if (isDigit(codes[digits] as number)) {
        at = digits;
        while (isDigit(codes[at] as number)) at++;
      }
    }
    return at;
  }

  /** Offset of the `)` that closes the `(` at `open`, or -1. One pass over the source serves all calls. */
  closing(open: number): number {
    this.brackets ??= matchBrackets(this.source, (at) => this.skip(at));
    return this.brackets.get(open) ?? -1;
  }

  /** The two characters after the bracket that closes `open`, blanks and comments skipped. */
  afterClosing(open: number): string {
    const close = this.closing(open);
    if (close < 0) return '';
    const at = this.skip(close + 1);
    return this.source.slice(at, at + 2);
  }

  /** Offset of what follows the current token. */
  follow(): number {
    return this.skip(this.end);
  }

  /** The characters that follow the current token, blanks and comments skipped. */
  peek(length = 1): string {
    const at = this.skip(this.end);
    return this.source.slice(at, at + length);
  }
}

const GUARDED = new Set(['if', 'unless', 'using']);

/** Pairs every `(` with its `)`, passing over strings (and into their interpolations), comments, regexes. */
function matchBrackets(source: string, skip: (at: number) => number): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  /** Strings we are inside of: the quote, and the bracket depth at which its `$(` began. */
  const strings: { quote: number; depth: number }[] = [];
  /** The parentheses after words that an operand follows: `if (c) /a/ else …`. */
  const guards = new Set<number>();
  let operand = true;
  let isGuard = false;
  let at = 0;

  const readString = (quote: number): void => {
    for (; at < source.length; at++) {
      const c = source.charCodeAt(at);
      if (c === 92) at++;
      else if (c === quote) {
        at++;
        operand = false;
        return;
      } else if (c === 36 && source.charCodeAt(at + 1) === 40) {
        strings.push({ quote, depth: open.length });
        open.push(at + 1);
        at += 2;
        operand = true;
        return;
      }
    }
  };

  while ((at = skip(at)) < source.length) {
    const c = source.charCodeAt(at);
    if (isNamePart(c)) {
      const start = at;
      while (isNamePart(source.charCodeAt(at))) at++;
      isGuard = at - start <= 6 && GUARDED.has(source.slice(start, at));
      // After a word a slash may divide or begin a regex: `a splitBy /,/` against `a / b`.
      const spaced = isSpace(source.charCodeAt(at)) && isNameStart(source.charCodeAt(start));
      const slash = spaced ? skip(at) : at;
      operand =
        spaced &&
        source.charCodeAt(slash) === 47 &&
        !isSpace(source.charCodeAt(slash + 1)) &&
        /^\/(?:\\.|[^/\n\\])+\//.test(source.slice(slash, slash + 200));
    } else if (c === 34 || c === 39 || c === 96) {
      at++;
      readString(c);
    } else if (c === 47 && operand) {
      const stop = regexEnd(source, at);
      at = stop < 0 ? at + 1 : stop + 1;
      operand = false;
    } else if (c === 40) {
      if (isGuard) guards.add(at);
      isGuard = false;
      open.push(at++);
      operand = true;
    } else if (c === 41) {
      const from = open.pop();
      if (from !== undefined) pairs.set(from, at);
      at++;
      operand = from !== undefined && guards.has(from);
      const inside = strings.at(-1);
      if (inside && inside.depth === open.length) {
        strings.pop();
        readString(inside.quote);
      }
    } else {
      at++;
      isGuard = false;
      operand = c !== 93 && c !== 125 && c !== 36;
    }
  }
  return pairs;
}

/** Offset of the slash that ends the regex begun at `at`; -1 when the line ends before. */
export function regexEnd(source: string, at: number): number {
  for (let i = at + 1; i < source.length; i++) {
    const c = source.charCodeAt(i);
    if (c === 92) i++;
    else if (c === 47) return i;
    else if (c === 10) return -1;
  }
  return -1;
}
