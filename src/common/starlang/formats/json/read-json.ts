import { placeOf, excerptOf } from '../../errors/problem.js';
import { formatFault } from '../../errors/fault.js';
import { parseNumber } from '../../numbers/decimal.js';
import { ObjectBuilder } from '../../values/objects.js';
import type { Value } from '../../values/value.js';

/** Digits a double may lose, keys a plain object would reorder or treat specially, and escapes in keys. */
const NEEDS_CARE = /\d{16}|\d[eE][+-]?\d{3,}\s*[,\]}\s]|\d\.\d{14}|"\d+"\s*:|__proto__|\\u00[35]/;
const DEEPEST = 1000;

/** Reads JSON text: order, duplicates and all digits survive. @throws Fault of kind format */
export function readJson(text: string): Value {
  if (!NEEDS_CARE.test(text)) {
    const counted = { colons: 0 };
    const fast = tryParse(text, counted);
    if (fast !== undefined && counted.colons === keyCount(text)) return fast;
  }
  return new JsonReader(text).document();
}

function tryParse(text: string, counted: { colons: number }): Value | undefined {
  let value: Value;
  try {
    value = JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
  counted.colons = countKeys(value);
  return value;
}

/** Keys the text spells, counted as colons outside of strings: more than were read means duplicates. */
function keyCount(text: string): number {
  let count = 0;
  let at = 0;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return count;
    let end = quote + 1;
    for (;;) {
      end = text.indexOf('"', end);
      let slashes = 0;
      while (text.charCodeAt(end - 1 - slashes) === 92) slashes++;
      if (slashes % 2 === 0) break;
      end++;
    }
    at = end + 1;
    let c = text.charCodeAt(at);
    if (c === 58) count++;
    else {
      let next = at;
      while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++next);
      if (c === 58) count++;
    }
  }
}

function countKeys(root: Value): number {
  let count = 0;
  const stack: Value[] = [root];
  while (stack.length > 0) {
    const value = stack.pop() as Value;
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) stack.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        count++;
        const item = (value as Record<string, Value>)[key] as Value;
        if (typeof item === 'object' && item !== null) stack.push(item);
      }
    }
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
