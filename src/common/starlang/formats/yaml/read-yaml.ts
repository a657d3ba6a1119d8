import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { Fault, formatFault } from '../../errors/fault.js';
import { parseNumber } from '../../numbers/decimal.js';
import { checkCollectionSize, step } from '../../runtime/machine.js';
import { Binary } from '../../values/atoms.js';
import { isObject, keysOf, nameOf, ObjectBuilder, valuesOf } from '../../values/objects.js';
import type { Value } from '../../values/value.js';
import { DEEPEST, faultAt } from '../format-text.js';

/** Reads one YAML 1.2 document (core schema and merge keys): order, duplicates and all digits survive. */
export function readYaml(text: string, mostAliases: number): Value {
  checkDepth(text);
  let documents: ReturnType<typeof parseAllDocuments>;
  try {
    documents = parseAllDocuments(text, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: false,
      strict: true,
      prettyErrors: false,
      keepSourceTokens: false,
      lineCounter: new LineCounter(),
    });
  } catch (error) {
    if (error instanceof RangeError) throw formatFault('The YAML is nested too deeply');
    throw error;
  }
  const list = Array.isArray(documents) ? (documents as Document.Parsed[]) : [];
  for (const document of list) {
    const problem = document.errors[0];
    if (problem) throw faultAt('YAML', text, problem.pos[0], problem.message);
  }
  if (list.length > 1)
    throw formatFault(
      `The text holds ${list.length} YAML documents, a value is one`,
      'split it at the lines ---',
    );
  const document = list[0];
  return document?.contents ? new YamlReader(text, document, mostAliases).value(document.contents, 0) : null;
}

/** The parser recurses: brackets nested beyond any sense are refused before it sees them. */
function checkDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 91 || c === 123) depth++;
    else if (c === 93 || c === 125) depth = Math.max(0, depth - 1);
    if (depth > DEEPEST * 2) throw formatFault(`The YAML is nested deeper than ${DEEPEST}`);
  }
}

class YamlReader {
  private aliases = 0;
  private nodes = 0;
  private readonly open = new Set<Node>();

  constructor(
    private readonly text: string,
    private readonly document: Document.Parsed,
    private readonly mostAliases: number,
  ) {}

  private fail(node: Node, message: string, hint?: string): Fault {
    return faultAt('YAML', this.text, node.range?.[0] ?? 0, message, hint);
  }

  value(node: Node | null, depth: number): Value {
    if (node === null) return null;
    step();
    checkCollectionSize(++this.nodes);
    if (depth > DEEPEST) throw formatFault(`The YAML is nested deeper than ${DEEPEST}`);
    if (isAlias(node)) return this.alias(node, depth);
    if (isMap(node)) return this.map(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.value(item as Node | null, depth + 1));
    return isScalar(node) ? this.scalar(node) : null;
  }

  private alias(node: Alias, depth: number): Value {
    if (++this.aliases > this.mostAliases)
      throw this.fail(
        node,
        `more than ${this.mostAliases} aliases to expand`,
        'raise maxEntityCount if it is meant',
      );
    const target = node.resolve(this.document);
    if (!target) throw this.fail(node, `the alias "*${node.source}" has no anchor before it`);
    if (this.open.has(target))
      throw this.fail(node, `the alias "*${node.source}" stands inside of its own anchor`);
    this.open.add(target);
    const value = this.value(target, depth + 1);
    this.open.delete(target);
    return value;
  }

  private map(node: YAMLMap, depth: number): Value {
    const builder = new ObjectBuilder();
    const merged: Value[] = [];
    const own = new Set<string>();
    for (const { key, value } of node.items as { key: Node | null; value: Node | null }[]) {
      if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN') {
        merged.push(this.value(value, depth + 1));
        continue;
      }
      const name = this.keyText(key, node);
      own.add(name);
      builder.add(name, this.value(value, depth + 1));
    }
    for (const source of merged.flat()) {
      if (!isObject(source)) throw this.fail(node, 'a merge key "<<" takes a mapping or a list of mappings');
      const values = valuesOf(source);
      for (const [i, key] of keysOf(source).entries()) {
        const name = nameOf(key);
        if (own.has(name)) continue;
        own.add(name);
        builder.add(name, values[i] as Value);
      }
    }
    return builder.done();
  }

  private keyText(key: Node | null, map: YAMLMap): string {
    if (key === null) return '';
    if (isAlias(key)) {
      const target = key.resolve(this.document);
      if (isScalar(target)) return this.keyText(target, map);
    }
    if (!isScalar(key)) throw this.fail(map, 'a key that is no single value', 'keys are texts');
    return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
  }

  private scalar(node: Scalar): Value {
    const { value, source } = node;
    if (typeof value === 'number' || typeof value === 'bigint') {
      // The exact digits; what is no decimal numeral (0x1F, .inf) by what it stands for.
      const exact = source === undefined ? undefined : parseNumber(source);
      if (exact !== undefined) return exact;
      const number = Number(value);
      return Number.isFinite(number) ? number : (source ?? String(value));
    }
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    return value instanceof Uint8Array ? new Binary(value) : null;
  }
}
