import { formatFault } from '../../errors/fault.js';
import { Period } from '../../dates/period.js';
import { Temporal } from '../../dates/temporal.js';
import { Zone } from '../../dates/zone.js';
import { Decimal, numberText } from '../../numbers/decimal.js';
import { Regex } from '../../regex/regex.js';
import { checkTextLength, step } from '../../runtime/machine.js';
import { metadataOf } from '../../runtime/metadata.js';
import { RESERVED } from '../../syntax/chars.js';
import { Binary, CData, Uri } from '../../values/atoms.js';
import { Fn } from '../../values/fn.js';
import { kindOf } from '../../values/kind.js';
import {
  bare,
  isObject,
  Key,
  keysOf,
  nameOf,
  Namespace,
  sizeOfObject,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../../values/objects.js';
import { Range } from '../../values/range.js';
import { TypeValue } from '../../values/type-value.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { FormatOptions } from '../format.js';
import { DEEPEST } from '../format-text.js';

/** Writes a value as the language itself would spell it, with types, metadata, attributes and namespaces. */
export function writeDw(value: Value, options: FormatOptions): string {
  return new DwWriter(options).document(value);
}

class DwWriter {
  private readonly out: string[] = [];
  private length = 0;
  /** Prefix to uri: what the header declares. */
  private readonly namespaces = new Map<string, string>();
  private readonly indent: string;
  private readonly mostItems: number;
  private readonly withMetadata: boolean;

  constructor(options: FormatOptions) {
    this.indent = String(options.indent ?? '  ');
    if (/[^ \t]/.test(this.indent)) throw formatFault('The option "indent" of application/dw takes blanks');
    this.mostItems = Number(options.maxCollectionSize);
    this.withMetadata = options.ignoreSchema !== true;
  }

  document(value: Value): string {
    this.value(value, '\n', 0);
    if (this.namespaces.size === 0) return this.out.join('');
    const header = Array.from(this.namespaces, ([prefix, uri]) => `ns ${prefix} ${uri}\n`).join('');
    return `${header}---\n${this.out.join('')}`;
  }

  private put(text: string): void {
    checkTextLength((this.length += text.length));
    this.out.push(text);
  }

  private value(given: Value, line: string, depth: number): void {
    step();
    if (depth > DEEPEST) throw formatFault(`The value is nested deeper than ${DEEPEST}`);
    const value = bare(given);
    if (Array.isArray(value)) this.array(value, line, depth);
    else if (value instanceof Range) this.array(value.items(), line, depth);
    else if (isObject(value)) this.object(value, line, depth);
    else this.put(scalar(value));
    if (this.withMetadata) this.metadata(given, value, line, depth);
  }

  private metadata(given: Value, value: Value, line: string, depth: number): void {
    const meta = metadataOf(given, undefined) ?? readFormat(value);
    if (meta === undefined || !isObject(meta)) return;
    this.put(` as ${kindOf(value)} {`);
    const values = valuesOf(meta);
    for (const [i, key] of keysOf(meta).entries()) {
      this.put(`${i > 0 ? ', ' : ''}${word(nameOf(key))}: `);
      this.value(values[i] as Value, line, depth + 1);
    }
    this.put('}');
  }

  private array(items: readonly Value[], line: string, depth: number): void {
    if (items.length === 0) return this.put('[]');
    const inner = line + this.indent;
    this.put('[');
    for (const [i, item] of items.entries()) {
      if (this.cut(i, inner)) break;
      this.put(i > 0 ? `,${inner}` : inner);
      this.value(item, inner, depth + 1);
    }
    this.put(`${line}]`);
  }

  private object(object: ObjectValue, line: string, depth: number): void {
    if (sizeOfObject(object) === 0) return this.put('{}');
    const inner = line + this.indent;
    const values = valuesOf(object);
    this.put('{');
    for (const [i, key] of keysOf(object).entries()) {
      if (this.cut(i, inner)) break;
      this.put(i > 0 ? `,${inner}` : inner);
      this.key(key, inner, depth);
      this.put(': ');
      this.value(values[i] as Value, inner, depth + 1);
    }
    this.put(`${line}}`);
  }

  private cut(index: number, inner: string): boolean {
    const over = this.mostItems >= 0 && index >= this.mostItems;
    if (over) this.put(`${inner}/* … */`);
    return over;
  }

  private key(key: KeyLike, line: string, depth: number): void {
    if (typeof key === 'string') return this.put(word(key));
    this.put((key.namespace ? `${this.prefix(key.namespace)}#` : '') + word(key.name));
    const { attributes } = key;
    if (!attributes || sizeOfObject(attributes) === 0) return;
    const values = valuesOf(attributes);
    this.put(' @(');
    for (const [i, name] of keysOf(attributes).entries()) {
      if (i > 0) this.put(', ');
      this.key(name, line, depth + 1);
      this.put(': ');
      this.value(values[i] as Value, line, depth + 1);
    }
    this.put(')');
  }

  /** A prefix of the header: its own one when that is free. */
  private prefix({ prefix, uri }: Namespace): string {
    const wanted = /^[A-Za-z]\w*$/.test(prefix) ? prefix : 'ns0';
    for (let n = 0, name = wanted; ; name = `ns${n++}`) {
      const known = this.namespaces.get(name);
      if (known === undefined) {
        if (/\s/.test(uri) || uri === '')
          throw formatFault(`The namespace ${JSON.stringify(uri)} cannot be declared`);
        this.namespaces.set(name, uri);
        return name;
      }
      if (known === uri) return name;
    }
  }
}

/** The format a date was read by, as metadata. */
function readFormat(value: Value): PlainObject | undefined {
  if (!(value instanceof Temporal) || !value.format) return undefined;
  const { pattern, locale } = value.format;
  return locale === undefined ? { format: pattern } : { format: pattern, locale };
}

const word = (name: string) => (/^[A-Za-z]\w*$/.test(name) && !RESERVED.has(name) ? name : quoted(name));

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// oxlint-disable-next-line no-control-regex -- control characters are what is escaped
const SPECIAL = /["\\$\u0000-\u001F\u007F-\u009F\u2028\u2029\uD800-\uDFFF]/gu;

function quoted(text: string): string {
  const inner = text.replace(SPECIAL, (c) => {
    if (c === '"' || c === '\\' || c === '$') return `\\${c}`;
    return NAMED[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${inner}"`;
}

function scalar(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || value instanceof Decimal) return numberText(value);
  if (value instanceof Temporal || value instanceof Period) return `|${value.toString()}|`;
  if (value instanceof Zone) return `|${value.id}|`;
  if (value instanceof Regex)
    return `/${value.source.replace(/\\[\s\S]|\//g, (all) => (all === '/' ? '\\/' : all))}/`;
  if (value instanceof Binary)
    return `${quoted(Buffer.from(value.bytes).toString('base64'))} as Binary {base: "64"}`;
  if (value instanceof CData) return `${quoted(value.text)} as CData`;
  if (value instanceof Uri) return `${quoted(value.text)} as Uri`;
  if (value instanceof Namespace)
    return `{prefix: ${quoted(value.prefix)}, uri: ${quoted(value.uri)}} as Namespace`;
  if (value instanceof Key) return `${quoted(value.name)} as Key`;
  if (value instanceof TypeValue) return value.toString();
  if (value instanceof Fn) return `(${value.params.map(({ name }) => name).join(', ')}) -> ???`;
  throw formatFault(`A ${kindOf(value)} cannot be written as application/dw`);
}
