import { formatFault } from '../../errors/fault.js';
import { parseNumber } from '../../numbers/decimal.js';
import { checkTextLength, step } from '../../runtime/machine.js';
import { Decimal, numberText } from '../../numbers/decimal.js';
import { kindOf } from '../../values/kind.js';
import { bare, isObject, keysOf, nameOf, valuesOf, type ObjectValue } from '../../values/objects.js';
import { Range } from '../../values/range.js';
import { preview } from '../../values/text.js';
import type { Value } from '../../values/value.js';
import type { FormatOptions } from '../format.js';
import { DEEPEST, scalarText } from '../format-text.js';

/** Writes a value in block style. */
export function writeYaml(value: Value, options: FormatOptions): string {
  return new YamlWriter(options).document(value);
}

class YamlWriter {
  private readonly out: string[] = [];
  private length = 0;
  private readonly skipInArrays: boolean;
  private readonly skipInObjects: boolean;

  constructor(private readonly options: FormatOptions) {
    const skip = options.skipNullOn;
    this.skipInArrays = skip === 'arrays' || skip === 'everywhere';
    this.skipInObjects = skip === 'objects' || skip === 'everywhere';
  }

  document(value: Value): string {
    if (this.options.writeDeclaration !== false) this.put('%YAML 1.2\n---\n');
    const inline = this.inline(value);
    if (inline === undefined) this.block(bare(value), '', 0);
    else this.put(`${inline}\n`);
    return this.out.join('');
  }

  private put(text: string): void {
    checkTextLength((this.length += text.length));
    this.out.push(text);
  }

  /** The items that are written; undefined for what is no array. */
  private items(value: Value): readonly Value[] | undefined {
    const items = value instanceof Range ? value.items() : value;
    if (!Array.isArray(items)) return undefined;
    return this.skipInArrays ? items.filter((item) => bare(item) !== null) : items;
  }

  private pairs(object: ObjectValue): [string, Value][] {
    const values = valuesOf(object);
    const pairs = keysOf(object).map((key, i): [string, Value] => [nameOf(key), values[i] as Value]);
    return this.skipInObjects ? pairs.filter(([, value]) => bare(value) !== null) : pairs;
  }

  /** What fits behind a key or dash; undefined for what needs lines of its own. */
  private inline(given: Value): string | undefined {
    const value = bare(given);
    const items = this.items(value);
    if (items) return items.length === 0 ? '[]' : undefined;
    if (isObject(value)) return this.pairs(value).length === 0 ? '{}' : undefined;
    if (value === null) return 'null';
    if (typeof value === 'string') return quotedIfNeeded(value);
    if (typeof value === 'number' || value instanceof Decimal) return numberText(value);
    const text = scalarText(given);
    if (text === undefined)
      throw formatFault(`${kindOf(value)} (${preview(value)}) cannot be written as YAML`);
    return typeof value === 'boolean' ? text : quotedIfNeeded(text);
  }

  private block(value: Value, indent: string, depth: number): void {
    if (depth > DEEPEST) throw formatFault(`The value is nested deeper than ${DEEPEST}`);
    const items = this.items(value);
    if (items) for (const item of items) this.entry(`${indent}-`, item, indent, depth);
    else if (isObject(value))
      for (const [name, item] of this.pairs(value))
        this.entry(`${indent}${keyText(name, indent)}:`, item, indent, depth);
  }

  private entry(head: string, value: Value, indent: string, depth: number): void {
    step();
    const inline = this.inline(value);
    if (inline !== undefined) {
      this.put(`${head} ${inline}\n`);
      return;
    }
    this.put(`${head}\n`);
    this.block(bare(value), `${indent}  `, depth + 1);
  }
}

/** A key longer than a reader looks ahead is written in the long form. */
function keyText(name: string, indent: string): string {
  const text = quotedIfNeeded(name);
  return text.length > 1000 ? `? ${text}\n${indent}` : text;
}

/** Begins with no indicator and holds nothing that ends a plain scalar. */
const PLAIN = /^(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=[^\s,[\]{}]))(?:[^\n\r\t:#]|:(?=\S)|(?<=\S)#)*$/;
/** What a reader of YAML 1.1 or 1.2 takes for something else than a text. */
const TYPED =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?\.(?:inf|nan)|0[xob][\da-f_]+|[-+]?[\d][\d_,:]*(?:\.[\d_]*)?(?:e[-+]?\d+)?|\d{4}-\d\d?-\d\d?(?:[tT ].*)?|<<|=|---.*|\.\.\..*)$/i;

function quotedIfNeeded(text: string): string {
  const safe =
    PLAIN.test(text) &&
    !text.endsWith(' ') &&
    !TYPED.test(text) &&
    parseNumber(text) === undefined &&
    /^[\u0020-\u007E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]*$/.test(text);
  if (safe) return text;
  // A JSON text is a double-quoted scalar, but for breaks that only YAML knows.
  return JSON.stringify(text).replace(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
