import { formatFault } from '../../errors/fault.js';
import { step } from '../../runtime/machine.js';
import { withMetadata } from '../../runtime/metadata.js';
import { CData } from '../../values/atoms.js';
import { Key, keysOf, Namespace, ObjectBuilder, valuesOf, type KeyLike } from '../../values/objects.js';
import type { Value } from '../../values/value.js';
import type { FormatOptions } from '../format.js';
import { DEEPEST } from '../format-text.js';
import { docTypeValue } from './doc-type.js';
import { splitName, XML_URI, XMLNS_URI, XSI_URI } from './names.js';
import { readProlog, skipComment, skipInstruction, skipMisc } from './read-prolog.js';
import { XmlSource } from './xml-source.js';

const MOST_ATTRIBUTES = 1000;

/** An element that is open. */
interface Open {
  name: string;
  key: KeyLike;
  nil: boolean;
  scope: Scope;
  children: ObjectBuilder | undefined;
  /** Text that no child element follows yet. */
  text: string;
  /** What of it stood in CDATA sections, when there was one. */
  section: string | undefined;
  /** More than blanks stood outside of CDATA sections. */
  mixed: boolean;
}

type Scope = ReadonlyMap<string, Namespace>;

/** Reads an XML document: repeated elements are duplicate keys, attributes belong to the key. */
export function readXml(text: string, options: FormatOptions): Value {
  return new XmlReader(text, options).document();
}

class XmlReader {
  private readonly source: XmlSource;
  private readonly readsDtd: boolean;
  private readonly nullOn: unknown;
  private readonly mostAttributeText: number;

  constructor(text: string, options: FormatOptions) {
    if (options.externalEntities === true)
      throw formatFault('External entities are never read', 'leave out externalEntities');
    this.readsDtd = options.supportDtd === true;
    this.nullOn = options.nullValueOn;
    this.mostAttributeText = Number(options.maxAttributeSize);
    this.source = new XmlSource(text, Number(options.maxEntityCount), this.readsDtd);
  }

  document(): Value {
    const { source } = this;
    const docType = readProlog(source, this.readsDtd);
    if (!source.starts('<')) source.fail(`expected the root element but found ${source.found()}`);
    const root = this.tree();
    skipMisc(source);
    if (source.at < source.text.length)
      source.fail(`expected the end of the document but found ${source.found()}`);
    return docType ? withMetadata(root, { docType: docTypeValue(docType) }) : root;
  }

  /** The root element with all below it, without recursion. */
  private tree(): Value {
    const { source } = this;
    const root = new ObjectBuilder();
    const open: Open[] = [];
    const base: Scope = new Map([['xml', new Namespace('xml', XML_URI)]]);
    for (;;) {
      const element = open.at(-1);
      if (element && !source.starts('<')) this.characters(element);
      else if (element && source.starts('</')) {
        this.closing(element);
        open.pop();
        this.add(open.at(-1), root, element);
      } else if (source.starts('<!--')) skipComment(source);
      else if (element && source.starts('<![CDATA[')) this.section(element);
      else if (source.starts('<?')) skipInstruction(source);
      else {
        const opened = this.opening(element?.scope ?? base);
        if (element) this.flush(element);
        if (opened.closed) this.add(element, root, opened.element);
        else if (open.push(opened.element) > DEEPEST)
          throw formatFault(`The XML is nested deeper than ${DEEPEST} elements`);
      }
      if (open.length === 0) return root.done();
    }
  }

  private add(parent: Open | undefined, root: ObjectBuilder, element: Open): void {
    step();
    const into = parent ? (parent.children ??= new ObjectBuilder()) : root;
    into.add(element.key, this.valueOf(element));
  }

  private opening(outer: Scope): { element: Open; closed: boolean } {
    const { source } = this;
    const from = source.at++;
    const name = source.name('the name of an element');
    const attributes = this.attributes();
    const scope = this.declared(outer, attributes, from);
    const key = this.keyOf(name, attributes, scope, from);
    const closed = source.starts('/>');
    if (closed) source.at += 2;
    else source.expect('>');
    const nil = typeof key !== 'string' && isNil(key);
    return {
      element: { name, key, nil, scope, children: undefined, text: '', section: undefined, mixed: false },
      closed,
    };
  }

  private attributes(): Map<string, string> {
    const { source } = this;
    const found = new Map<string, string>();
    for (;;) {
      const blank = source.blanks();
      if (source.starts('>') || source.starts('/>') || source.at >= source.text.length) return found;
      const at = source.at;
      if (!blank) source.fail(`expected a blank, ">" or "/>" but found ${source.found()}`);
      const name = source.name('the name of an attribute');
      if (found.has(name)) source.fail(`the attribute "${name}" is given twice`, at);
      source.blanks();
      source.expect('=');
      source.blanks();
      const from = source.at + 1;
      const raw = source.quoted('the value of an attribute');
      if (raw.length > this.mostAttributeText)
        source.fail(`the attribute "${name}" is longer than ${this.mostAttributeText} characters`, at);
      if (raw.includes('<')) source.fail('a bare "<" in an attribute', from + raw.indexOf('<'), 'write &lt;');
      found.set(name, source.resolved(raw.replace(/[\n\t]/g, ' '), from));
      if (found.size > MOST_ATTRIBUTES)
        source.fail(`more than ${MOST_ATTRIBUTES} attributes of one element`, at);
    }
  }

  /** Takes the namespace declarations out of the attributes. */
  private declared(outer: Scope, attributes: Map<string, string>, at: number): Scope {
    let scope: Map<string, Namespace> | undefined;
    for (const [name, uri] of attributes) {
      const [before, local] = splitName(name);
      if (name !== 'xmlns' && before !== 'xmlns') continue;
      const prefix = name === 'xmlns' ? '' : local;
      if (prefix === 'xmlns' || uri === XMLNS_URI || (prefix === 'xml') !== (uri === XML_URI))
        this.source.fail(`the namespace "${uri}" cannot be declared as "${prefix}"`, at);
      if (uri === '' && prefix !== '') this.source.fail(`the prefix "${prefix}" has no namespace`, at);
      scope ??= new Map(outer);
      if (uri === '') scope.delete('');
      else scope.set(prefix, new Namespace(prefix, uri));
      attributes.delete(name);
    }
    return scope ?? outer;
  }

  private keyOf(name: string, attributes: Map<string, string>, scope: Scope, at: number): KeyLike {
    const [prefix, local] = splitName(name);
    const namespace = prefix === '' ? scope.get('') : this.namespace(prefix, scope, at);
    if (attributes.size === 0) return namespace ? new Key(local, namespace) : local;
    const builder = new ObjectBuilder();
    const seen = new Set<string>();
    for (const [attribute, text] of attributes) {
      const [before, own] = splitName(attribute);
      const space = before === '' ? undefined : this.namespace(before, scope, at);
      if (space && seen.size === seen.add(`${space.uri} ${own}`).size)
        this.source.fail(`the attribute "${attribute}" is given twice`, at);
      builder.add(space ? new Key(own, space) : own, text);
    }
    return new Key(local, namespace, builder.done());
  }

  private namespace(prefix: string, scope: Scope, at: number): Namespace {
    return scope.get(prefix) ?? this.source.fail(`the prefix "${prefix}" is not declared`, at);
  }

  private characters(element: Open): void {
    const { source } = this;
    const from = source.at;
    const stop = source.text.indexOf('<', from);
    if (stop < 0) source.fail(`the element "${element.name}" is not closed`, source.text.length);
    const raw = source.text.slice(from, stop);
    const wrong = raw.indexOf(']]>');
    if (wrong >= 0) source.fail('"]]>" outside of a CDATA section', from + wrong, 'write ]]&gt;');
    const text = source.resolved(raw, from);
    if (!element.mixed && text.trim() !== '') element.mixed = true;
    element.text += text;
    source.at = stop;
  }

  private section(element: Open): void {
    const { source } = this;
    const from = (source.at += 9);
    const text = source.checked(source.upTo(']]>', 'a CDATA section'), from);
    element.section = (element.section ?? '') + text;
    element.text += text;
  }

  private closing(element: Open): void {
    const { source } = this;
    const from = source.at;
    source.at += 2;
    const name = source.name('the name of an element');
    if (name !== element.name)
      source.fail(`"</${name}>" closes "<${element.name}>"`, from, `expected </${element.name}>`);
    source.blanks();
    source.expect('>');
  }

  /** Text before a child element is an entry of its own, unless it is blank. */
  private flush(element: Open): void {
    if (element.section !== undefined || element.text.trim() !== '')
      (element.children ??= new ObjectBuilder()).add('__text', textValue(element));
    element.text = '';
    element.section = undefined;
    element.mixed = false;
  }

  private valueOf(element: Open): Value {
    if (element.children) {
      this.flush(element);
      return element.children.done();
    }
    if (element.nil) return null;
    if (element.section !== undefined) return textValue(element);
    const { text } = element;
    if (this.nullOn === 'none') return text;
    return text === '' || (this.nullOn === 'blank' && text.trim() === '') ? null : text;
  }
}

/** White space around CDATA sections is layout as long as nothing else stands there. */
const textValue = ({ text, section, mixed }: Open): Value =>
  section !== undefined && !mixed ? new CData(section) : text;

function isNil({ attributes }: Key): boolean {
  if (!attributes) return false;
  const values = valuesOf(attributes);
  return keysOf(attributes).some(
    (one, i) =>
      typeof one !== 'string' &&
      one.name === 'nil' &&
      one.namespace?.uri === XSI_URI &&
      (values[i] === 'true' || values[i] === '1'),
  );
}
