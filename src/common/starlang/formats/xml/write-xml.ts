import { formatFault } from '../../errors/fault.js';
import { checkTextLength, step } from '../../runtime/machine.js';
import { metadataOf } from '../../runtime/metadata.js';
import { CData } from '../../values/atoms.js';
import { kindOf } from '../../values/kind.js';
import {
  bare,
  isObject,
  Key,
  keysOf,
  nameOf,
  Namespace,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../../values/objects.js';
import { Regex } from '../../regex/regex.js';
import { Range } from '../../values/range.js';
import { preview } from '../../values/text.js';
import type { Value } from '../../values/value.js';
import type { FormatOptions } from '../format.js';
import { DEEPEST, encoded, scalarText } from '../format-text.js';
import { docTypeOf, type DocType } from './doc-type.js';
import { Escape } from './escape.js';
import { isName, XSI_URI } from './names.js';
import { Declarations, namespacesIn } from './namespaces.js';

const XSI = new Namespace('xsi', XSI_URI);

/** Writes an object with one key as an XML document. @throws Fault of kind format for anything else */
export function writeXml(value: Value, options: FormatOptions): string | Uint8Array {
  return encoded(new XmlWriter(options).document(value), options);
}

/** What `writeDeclaredNamespaces` may say; true and false are short for All and nothing. */
export const ROOT_NAMESPACES = /^(?:All|true|false|ids:.*|regex:.*)$/i;

function atRoot(option: FormatOptions[string]): ((namespace: Namespace) => boolean) | undefined {
  const text = String(option ?? false);
  if (/^(?:All|true)$/i.test(text)) return () => true;
  const [, kind, given = ''] = /^(ids|regex):(.*)$/i.exec(text) ?? [];
  if (kind === undefined) return undefined;
  if (kind.toLowerCase() === 'ids') {
    const prefixes = new Set(given.split(',').map((prefix) => prefix.trim()));
    return ({ prefix }) => prefixes.has(prefix);
  }
  const pattern = new Regex(given);
  return ({ prefix, uri }) => (pattern.whole(prefix) ?? pattern.whole(uri)) !== undefined;
}

class XmlWriter {
  private readonly out: string[] = [];
  private length = 0;
  private readonly escape: Escape;
  private readonly indent: boolean;
  private readonly skipElements: boolean;
  private readonly skipAttributes: boolean;
  private readonly fallback: Namespace | undefined;

  constructor(private readonly options: FormatOptions) {
    const { skipNullOn, defaultNamespace } = options;
    this.escape = new Escape(options);
    this.indent = options.indent !== false;
    this.skipElements = skipNullOn === 'elements' || skipNullOn === 'everywhere';
    this.skipAttributes = skipNullOn === 'attributes' || skipNullOn === 'everywhere';
    this.fallback = typeof defaultNamespace === 'string' ? new Namespace('', defaultNamespace) : undefined;
  }

  document(given: Value): string {
    const [key, value] = this.root(given);
    if (this.options.writeDeclaration !== false) this.declaration();
    const docType = docTypeOf(metadataOf(given, 'docType') ?? null);
    if (docType) this.put(`${docTypeTag(docType)}${this.indent ? '\n' : ''}`);
    const declared = new Declarations();
    const isAtRoot = atRoot(this.options.writeDeclaredNamespaces);
    if (isAtRoot)
      for (const namespace of namespacesIn(given)) if (isAtRoot(namespace)) declared.prefix(namespace, false);
    this.element(key, value, declared, '', 0);
    return this.out.join('');
  }

  private put(text: string): void {
    this.length += text.length;
    checkTextLength(this.length);
    this.out.push(text);
  }

  private declaration(): void {
    const quote = this.options.doubleQuoteInDeclaration === true ? '"' : "'";
    const encoding = String(this.options.encoding ?? 'UTF-8');
    this.put(
      `<?xml version=${quote}1.0${quote} encoding=${quote}${encoding}${quote}?>${this.indent ? '\n' : ''}`,
    );
  }

  /** A document has one root element. */
  private root(given: Value): [KeyLike, Value] {
    const value = bare(given);
    if (!isObject(value))
      throw formatFault(
        `XML needs an object with one key for the root element, not ${kindOf(value)} (${preview(value)})`,
        'put a name before it: root: …',
      );
    const values = valuesOf(value);
    const pairs = keysOf(value)
      .map((key, i) => [key, values[i] as Value] as const)
      .filter(([, item]) => !(this.skipElements && bare(item) === null));
    const [first] = pairs;
    if (pairs.length !== 1 || !first)
      throw formatFault(
        `XML needs one root element but the object has ${pairs.length} (${pairs
          .map(([key]) => nameOf(key))
          .slice(0, 8)
          .join(', ')})`,
        'put them under one key: root: { … }',
      );
    const [key, item] = first;
    const list = this.listOf(item);
    if (!list) return [key, item];
    if (list.length !== 1)
      throw formatFault(
        `XML needs one root element but "${nameOf(key)}" is an array of ${list.length}, which repeats it`,
        'put it under one key: root: { … }',
      );
    return [key, list[0] as Value];
  }

  private listOf(given: Value): readonly Value[] | undefined {
    const value = bare(given);
    return Array.isArray(value) ? value : value instanceof Range ? value.items() : undefined;
  }

  private element(key: KeyLike, given: Value, declared: Declarations, line: string, depth: number): void {
    step();
    if (depth > DEEPEST) throw formatFault(`The value is nested deeper than ${DEEPEST}`);
    const value = bare(given);
    const name = this.elementName(key, declared);
    const attributes = this.attributes(key, value, declared);
    let tag = `<${name}${attributes}`;
    for (const [prefix, uri] of declared.made)
      tag += ` ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${this.escape.attribute(uri)}"`;
    const content = this.content(given, declared, line, depth);
    if (content === undefined)
      this.put(this.options.inlineCloseOn === 'none' ? `${tag}></${name}>` : `${tag}/>`);
    else {
      this.put(`${tag}>`);
      content();
      this.put(`</${name}>`);
    }
  }

  private elementName(key: KeyLike, declared: Declarations): string {
    const namespace = (typeof key === 'string' ? undefined : key.namespace) ?? this.fallback;
    const local = nameOf(key);
    if (!isName(local))
      throw formatFault(`The key ${JSON.stringify(local)} is no name of an XML element`, 'rename it');
    if (!namespace) {
      if (!local.includes(':')) declared.none();
      return local;
    }
    const prefix = declared.prefix(namespace, false);
    return prefix === '' ? local : `${prefix}:${local}`;
  }

  private attributes(key: KeyLike, value: Value, declared: Declarations): string {
    const attributes = typeof key === 'string' ? undefined : key.attributes;
    let out = '';
    let nil = false;
    if (attributes) {
      const values = valuesOf(attributes);
      const seen = new Set<string>();
      for (const [i, name] of keysOf(attributes).entries()) {
        const given = values[i] as Value;
        if (this.skipAttributes && bare(given) === null) continue;
        const written = this.attributeName(name, given, declared);
        if (written === undefined) continue;
        if (seen.size === seen.add(written).size)
          throw formatFault(`The element "${nameOf(key)}" has the attribute "${written}" twice`);
        if (typeof name !== 'string' && name.namespace?.uri === XSI_URI && name.name === 'nil') nil = true;
        out += ` ${written}="${this.escape.attribute(this.attributeText(written, given, declared))}"`;
      }
    }
    if (value === null && !nil && this.options.writeNilOnNull === true)
      out += ` ${declared.prefix(XSI, true)}:nil="true"`;
    return out;
  }

  /** Undefined for a namespace declaration written as an attribute. */
  private attributeName(key: KeyLike, value: Value, declared: Declarations): string | undefined {
    const local = nameOf(key);
    if (typeof key !== 'string' && key.namespace) {
      if (!isName(local)) throw formatFault(`${JSON.stringify(local)} is no name of an XML attribute`);
      return `${declared.prefix(key.namespace, true)}:${local}`;
    }
    if (!isName(local)) throw formatFault(`${JSON.stringify(local)} is no name of an XML attribute`);
    if (local === 'xmlns' || local.startsWith('xmlns:')) {
      declared.take(local.slice(6), scalarText(value) ?? '');
      return undefined;
    }
    return local;
  }

  private attributeText(name: string, given: Value, declared: Declarations): string {
    const value = bare(given);
    if (value === null) return '';
    // A qualified name as a value (xsi:type) needs its namespace declared too.
    if (value instanceof Key && value.namespace) {
      const prefix = declared.prefix(value.namespace, false);
      return prefix === '' ? value.name : `${prefix}:${value.name}`;
    }
    const list = this.listOf(given);
    const text = list ? list.map((item) => scalarText(item) ?? '').join(' ') : scalarText(given);
    if (text === undefined)
      throw formatFault(`The attribute "${name}" takes a text but got ${kindOf(value)} (${preview(value)})`);
    return text;
  }

  /** What writes the content; undefined when there is none. */
  private content(
    given: Value,
    declared: Declarations,
    line: string,
    depth: number,
  ): (() => void) | undefined {
    const value = bare(given);
    if (isObject(value)) return this.children(value, declared, line, depth);
    const text = this.text(given);
    return text === '' ? undefined : () => this.put(text);
  }

  private text(given: Value): string {
    const value = bare(given);
    if (value === null) return '';
    if (value instanceof CData) return this.escape.section(value.text);
    const text = scalarText(given);
    if (text === undefined)
      throw formatFault(`${kindOf(value)} (${preview(value)}) cannot be written as XML`);
    return this.escape.text(text);
  }

  private children(
    object: ObjectValue,
    declared: Declarations,
    line: string,
    depth: number,
  ): (() => void) | undefined {
    const values = valuesOf(object);
    const pairs: [KeyLike, Value][] = [];
    const add = (key: KeyLike, value: Value, level: number): void => {
      const list = this.listOf(value);
      if (level > DEEPEST) throw formatFault(`The value is nested deeper than ${DEEPEST}`);
      if (list) for (const item of list) add(key, item, level + 1);
      else if (!(this.skipElements && bare(value) === null)) pairs.push([key, value]);
    };
    for (const [i, key] of keysOf(object).entries()) add(key, values[i] as Value, depth);
    if (pairs.length === 0) return undefined;
    // Blanks between texts would become part of them.
    const mixed = pairs.some(([key]) => nameOf(key) === '__text');
    const inner = this.indent && !mixed ? `${line || '\n'}  ` : '';
    return () => {
      for (const [key, value] of pairs) {
        if (inner) this.put(inner);
        if (nameOf(key) === '__text') this.put(this.text(value));
        else this.element(key, value, new Declarations(declared), mixed ? '' : inner, depth + 1);
      }
      if (inner) this.put(line || '\n');
    };
  }
}

function quotedId(text: string): string {
  const quote = text.includes('"') ? "'" : '"';
  if (text.includes(quote)) throw formatFault(`The id ${JSON.stringify(text)} has both kinds of quotes`);
  return quote + text + quote;
}

function docTypeTag(docType: DocType): string {
  const { rootName, publicId, systemId, internalSubset } = docType;
  if (!isName(rootName)) throw formatFault(`${JSON.stringify(rootName)} is no name of a root element`);
  let tag = `<!DOCTYPE ${rootName}`;
  if (publicId !== undefined)
    tag += ` PUBLIC ${quotedId(publicId)}${systemId === undefined ? '' : ` ${quotedId(systemId)}`}`;
  else if (systemId !== undefined) tag += ` SYSTEM ${quotedId(systemId)}`;
  if (internalSubset !== undefined && internalSubset !== '') tag += ` [${internalSubset}]`;
  return `${tag}>`;
}
