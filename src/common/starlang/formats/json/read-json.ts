import { placeOf, excerptOf } from '../../errors/problem.js';
import { formatFault } from '../../errors/fault.js';
import { parseNumber } from '../../numbers/decimal.js';
import { isPlainKey, ObjectBuilder } from '../../values/objects.js';
import type { PlainObject, Value } from '../../values/value.js';

const DEEPEST = 1000;

/** Reads JSON text: order, duplicates and all digits survive. @throws Fault of kind format */
export function readJson(text: string): Value {
  const colons = colonCount(text);
  if (colons >= 0) {
    const fast = tryParse(text);
    if (fast !== undefined && countKeys(fast, 0) === colons) return fast;
  }
  return new JsonReader(text).document();
}

function tryParse(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

const TAB = 9;
const LINE = 10;
const RETURN = 13;
const BLANK = 32;
const QUOTE = 34;
const DOT = 46;
const ZERO = 48;
const COLON = 58;
const E = 101;
const isDigit = (c: number) => c >= 48 && c <= 57;

/**
 * At least the keys the text spells: each is followed by a colon, and so may quotes inside of texts be.
 * When no more were read, none is there twice. It is -1 for a text to be read with care, because something
 * in it cannot be seen any more once it is read: more digits than a double surely keeps, zeros at the end of
 * decimals, exponents, blanks before a colon. Texts that only look so are read with care too.
 */
function colonCount(text: string): number {
  // A byte each is enough: other characters that come to look like these only make it read with care.
  const bytes = Buffer.from(text, 'latin1');
  const { length } = bytes;
  let count = 0;
  for (let i = 0; i < length; i++) {
    const c = bytes[i] as number;
    if (c > COLON || c < ZERO) continue;
    if (c !== COLON) {
      i = numeralEnd(bytes, i) - 1;
      if (i < 0) return -1;
      continue;
    }
    let before = bytes[i - 1] as number;
    if (before === QUOTE) count++;
    else if (before <= BLANK) {
      for (let at = i - 2; before === BLANK || before === LINE || before === RETURN || before === TAB; at--)
        before = bytes[at] as number;
      if (before === QUOTE) return -1;
    }
  }
  return count;
}

/** Offset after the digits and decimals that begin at `start`; 0 when they need care. */
function numeralEnd(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  while (isDigit(bytes[end] as number)) end++;
  if (end - start >= 16) return 0;
  if (bytes[end] === DOT) {
    const point = end++;
    while (isDigit(bytes[end] as number)) end++;
    const decimals = end - point - 1;
    if (decimals >= 14 || (decimals > 0 && bytes[end - 1] === ZERO)) return 0;
  }
  return ((bytes[end] as number) | 32) === E ? 0 : end;
}

/** The keys of all objects; -1 when one may not stand in a plain object, or when they are nested too deeply. */
function countKeys(value: Value, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEEPEST) return -1;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = countKeys(value[i] as Value, depth + 1);
      if (found < 0) return -1;
      count += found;
    }
    return count;
  }
  for (const key in value) {
    const first = key.charCodeAt(0);
    if ((first < 58 || first === 95) && !isPlainKey(key)) return -1;
    const found = countKeys((value as PlainObject)[key] as Value, depth + 1);
    if (found < 0) return -1;
    count += 1 + found;
  }
  return count;
}

class JsonReader {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): Value {
    const value = this.value();
    this.blanks();
    if (this.at < this.text.length) this.fail('the end of the text');
    return value;
  }

  private fail(wanted: string): never {
    const { line, column } = placeOf(this.text, this.at);
    const found = this.at < this.text.length ? JSON.stringify(this.text[this.at]) : 'the end of the text';
    throw formatFault(
      `The text is no JSON: expected ${wanted} but found ${found} at line ${line}, column ${column}\n${excerptOf(this.text, this.at)}`,
    );
  }

  private blanks(): void {
    for (;;) {
      const c = this.text.charCodeAt(this.at);
      if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return;
      this.at++;
    }
  }

  private value(): Value {
    this.blanks();
    switch (this.text[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private word(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.at)) this.fail('a value');
    this.at += word.length;
    return value;
  }

  private number(): Value {
    const pattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) this.fail('a value');
    const value = parseNumber(found);
    if (value === undefined) this.fail('a number of reasonable size');
    this.at += found.length;
    return value;
  }

  private string(): string {
    const from = this.at;
    if (this.text[from] !== '"') this.fail('a text in double quotes');
    let end = from + 1;
    for (;;) {
      end = this.text.indexOf('"', end);
      if (end < 0) {
        this.at = this.text.length;
        this.fail('the closing quote of a text');
      }
      let slashes = 0;
      while (this.text.charCodeAt(end - 1 - slashes) === 92) slashes++;
      if (slashes % 2 === 0) break;
      end++;
    }
    const raw = this.text.slice(from, end + 1);
    try {
      const value = JSON.parse(raw) as string;
      this.at = end + 1;
      return value;
    } catch {
      return this.fail('a text without raw control characters and wrong escapes');
    }
  }

  private enter(): void {
    if (++this.depth > DEEPEST) throw formatFault(`The JSON is nested deeper than ${DEEPEST}`);
    this.at++;
    this.blanks();
  }

  private array(): Value {
    this.enter();
    const items: Value[] = [];
    if (this.text[this.at] !== ']') {
      for (;;) {
        items.push(this.value());
        this.blanks();
        if (this.text[this.at] !== ',') break;
        this.at++;
      }
    }
    if (this.text[this.at] !== ']') this.fail('"," or "]"');
    this.at++;
    this.depth--;
    return items;
  }

  private object(): Value {
    this.enter();
    const builder = new ObjectBuilder();
    if (this.text[this.at] !== '}') {
      for (;;) {
        this.blanks();
        const key = this.string();
        this.blanks();
        if (this.text[this.at] !== ':') this.fail('":"');
        this.at++;
        builder.add(key, this.value());
        this.blanks();
        if (this.text[this.at] !== ',') break;
        this.at++;
      }
    }
    if (this.text[this.at] !== '}') this.fail('"," or "}"');
    this.at++;
    this.depth--;
    return builder.done();
  }
}
