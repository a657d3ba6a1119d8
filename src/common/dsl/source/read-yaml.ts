import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Document,
  type Node,
  type Pair,
  type YAMLError,
  visit,
} from 'yaml';
import type {
  ListNode,
  MapEntry,
  MapNode,
  Place,
  ScalarNode,
  SourceNode,
} from '../../engine/model/source-node.js';
import type { Problems } from '../problems.js';
import type { ScalarSpan, SourceFile } from './source-file.js';
import { substitute, type TextKind, type Variables } from './substitute.js';

/** Nodes of one file with every alias written out: a file of a few lines must not grow to gigabytes. */
const mostNodes = 200_000;
const mostDepth = 200;

/** Tells what kind of text stands under a key; `inherited` is the kind of the map or list around it. */
export type KindOfText = (key: string, inherited: TextKind | 'data') => TextKind | 'data';

interface Converted {
  readonly node: SourceNode;
  /** Nodes in it, aliases written out. */
  readonly size: number;
  /** Levels below it, aliases written out. */
  readonly height: number;
}

/**
 * A YAML 1.2 file (core schema) as nodes with their places, variables filled in. Duplicate keys, unknown tags, aliases
 * that contain themselves and a second document are refused; anchors, aliases and merge keys (`<<`) work.
 * @returns null for an empty file or one that cannot be read
 */
export function readYaml(
  file: SourceFile,
  variables: Variables,
  kindOfText: KindOfText,
  problems: Problems,
): SourceNode | null {
  const documents = parseDocuments(file, problems);
  const [document, second] = documents;
  if (!document) return null;
  if (second) {
    problems.error(
      'yaml-syntax',
      file.placeAt(second.range[0]),
      'A file holds one YAML document: remove the `---`.',
    );
  }
  let broken = false;
  for (const error of [...document.errors, ...document.warnings]) {
    broken = true;
    problems.error('yaml-syntax', file.placeAt(offsetOf(error, document, file.text)), sentenceOf(error));
  }
  if (broken || !document.contents) return null;
  return new Reader(file, variables, kindOfText, problems).read(document.contents);
}

function parseDocuments(file: SourceFile, problems: Problems): Document.Parsed[] {
  try {
    return [
      ...parseAllDocuments(file.text, {
        version: '1.2',
        schema: 'core',
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'silent',
      }),
    ];
  } catch (error) {
    // The parser recurses; only nesting deeper than any real file gets here.
    const message = error instanceof RangeError ? 'The file is nested too deeply.' : 'The file is no YAML.';
    problems.error('yaml-syntax', { file: file.path, line: 1, column: 1 }, message);
    return [];
  }
}

class Reader {
  private readonly anchors = new Map<string, Converted | 'open'>();
  private size = 0;
  private depth = 0;
  /** The deepest level seen below the node at hand. */
  private deepest = 0;
  private full = false;

  constructor(
    private readonly file: SourceFile,
    private readonly variables: Variables,
    private readonly kindOfText: KindOfText,
    private readonly problems: Problems,
  ) {}

  read(contents: Node): SourceNode {
    return this.convert(contents, 'text').node;
  }

  private convert(node: unknown, kind: TextKind | 'data'): Converted {
    const place = this.placeOf(node);
    if (this.full) return nothing(place);
    this.depth += 1;
    if (this.depth > mostDepth) {
      this.tooDeep(place);
      this.depth -= 1;
      return nothing(place);
    }
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    if (anchor) this.anchors.set(anchor, 'open');
    const [sizeBefore, deepestBefore] = [this.size, this.deepest];
    this.deepest = this.depth;
    this.count(1, place);
    const converted = this.convertInner(node, place, kind);
    const result = { node: converted, size: this.size - sizeBefore, height: this.deepest - this.depth };
    if (anchor) this.anchors.set(anchor, result);
    this.deepest = Math.max(deepestBefore, this.deepest);
    this.depth -= 1;
    return result;
  }

  private convertInner(node: unknown, place: Place, kind: TextKind | 'data'): SourceNode {
    if (isAlias(node)) return this.alias(node.source, place);
    if (isMap(node)) return this.map(node.items, place, kind);
    if (isSeq(node)) {
      return {
        kind: 'list',
        place,
        items: node.items.map((item) => this.convert(item, kind).node),
      } satisfies ListNode;
    }
    return this.scalar(node, place, kind);
  }

  private alias(name: string, place: Place): SourceNode {
    const target = this.anchors.get(name);
    if (target === undefined || target === 'open') {
      const message = target
        ? `The alias *${name} stands inside its own anchor &${name}.`
        : `No anchor &${name} stands before the alias *${name}.`;
      this.problems.error('yaml-alias', place, message);
      return nothing(place).node;
    }
    this.count(target.size, place);
    this.deepest = Math.max(this.deepest, this.depth + target.height);
    if (this.deepest > mostDepth) this.tooDeep(place);
    return target.node;
  }

  private map(pairs: readonly Pair[], place: Place, kind: TextKind | 'data'): MapNode {
    const entries = new Map<string, MapEntry>();
    const merged: MapEntry[] = [];
    for (const pair of pairs) {
      const keyPlace = this.placeOf(pair.key);
      const key = this.key(pair.key, keyPlace);
      if (key === null) continue;
      if (key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN') {
        merged.push(...this.merge(this.convert(pair.value, kind).node));
        continue;
      }
      const twin = entries.get(key);
      if (twin) {
        this.problems.error(
          'duplicate-key',
          keyPlace,
          `The key "${key}" stands twice in this map, first in line ${twin.place.line}: keep one.`,
        );
        continue;
      }
      const value = this.convert(pair.value ?? null, this.kindOfText(key, kind)).node;
      entries.set(key, { key, place: keyPlace, value: at(value, keyPlace) });
    }
    for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
    return { kind: 'map', place, entries: [...entries.values()] };
  }

  private merge(source: SourceNode): readonly MapEntry[] {
    const maps = source.kind === 'list' ? source.items : [source];
    return maps.flatMap((map) => {
      if (map.kind === 'map') return map.entries;
      this.problems.error('yaml-alias', map.place, 'A merge key `<<` takes a map or a list of maps.');
      return [];
    });
  }

  private key(node: unknown, place: Place): string | null {
    if (isScalar(node))
      return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    this.problems.error('yaml-syntax', place, 'A key must be plain text.');
    return null;
  }

  private scalar(node: unknown, place: Place, kind: TextKind | 'data'): ScalarNode {
    const value = isScalar(node) ? node.value : null;
    if (typeof value !== 'string') {
      const plainValue = typeof value === 'number' || typeof value === 'boolean' ? value : null;
      return { kind: 'scalar', place, value: plainValue, secret: false };
    }
    const filled = substitute(value, this.variables, kind === 'data' ? 'text' : kind);
    const scalar: ScalarNode = {
      kind: 'scalar',
      place,
      value: filled.text,
      secret: filled.secret,
      ...(filled.used ? { written: value } : {}),
    };
    const span = isScalar(node) ? spanOf(this.file.text, node) : null;
    this.file.remember(scalar, filled.text === value ? span : null);
    for (const { offset, message } of filled.problems) {
      this.problems.error('variable', this.placeOfOffset(scalar, value, span, offset), message);
    }
    return scalar;
  }

  private placeOfOffset(scalar: ScalarNode, written: string, span: ScalarSpan | null, offset: number): Place {
    if (!span) return scalar.place;
    const before = written.slice(0, offset).split('\n');
    return this.file.placeWithin(written, span, before.length, (before.at(-1)?.length ?? 0) + 1);
  }

  private count(size: number, place: Place): void {
    this.size += size;
    if (this.size > mostNodes) {
      this.overflow(place, `The file has more than ${mostNodes} values once its aliases are written out.`);
    }
  }

  private tooDeep(place: Place): void {
    this.overflow(place, `The file is nested more than ${mostDepth} levels deep.`);
  }

  private overflow(place: Place, message: string): void {
    if (!this.full) this.problems.error('yaml-too-large', place, message);
    this.full = true;
  }

  private placeOf(node: unknown): Place {
    const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
    return this.file.placeAt(range?.[0] ?? 0);
  }
}

/** A missing value (`key:` and nothing) has no place of its own: its key's is the nearest. */
function at(node: SourceNode, place: Place): SourceNode {
  return node.kind === 'scalar' && node.value === null ? { ...node, place } : node;
}

const nothing = (place: Place): Converted => ({
  node: { kind: 'scalar', place, value: null, secret: false },
  size: 0,
  height: 0,
});

const styles: Readonly<Record<string, ScalarSpan['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
};

function spanOf(
  text: string,
  node: { type?: string; range?: [number, number, number] | null },
): ScalarSpan | null {
  const style = styles[node.type ?? ''];
  if (!style || !node.range) return null;
  const [start, end] = node.range;
  if (style === 'plain') return { style, start, end };
  if (style === 'block') return { style, start: text.indexOf('\n', start) + 1, end };
  return { style, start: start + 1, end: end - 1 };
}

/** The parser speaks to those who know its grammar; this is what people do wrong, and what to do. */
const plainWords: readonly (readonly [RegExp, string])[] = [
  [
    /^Sequence item without - indicator/,
    'This line stands between the list above it and what the list is in: begin it with "- ", or indent it as the lines it belongs to.',
  ],
  [
    /^All (mapping|sequence|collection) items must start at the same column/,
    'This line is indented otherwise than those beside it: begin them in one column.',
  ],
  [
    /^Nested mappings are not allowed in compact mappings/,
    'There is a second ": " in this line: put the text into quotes, or what belongs to the key on lines of its own.',
  ],
  [
    /^Implicit map keys need to be followed by map values/,
    'A ":" is missing in this line: write "key: value", or indent it as the text that it goes on with.',
  ],
  [/^Tabs are not allowed as indentation/, 'This line is indented with a tab: use spaces.'],
  [/^Missing closing .quote/, 'The text that begins with this quote is not closed: add the closing quote.'],
];

function sentenceOf({ code, message }: YAMLError): string {
  if (code === 'RESOURCE_EXHAUSTION') return 'The file is nested too deeply.';
  const said = plainWords.find(([words]) => words.test(message))?.[1];
  return said ?? (/[.!?]$/.test(message) ? message : `${message}.`);
}

/** Where to look: at the first word of a line rather than its indentation, at the quote that is open rather than the end. */
function offsetOf({ message, pos: [from] }: YAMLError, document: Document.Parsed, text: string): number {
  if (/^Missing closing .quote/.test(message)) {
    let open = from;
    visit(document, {
      Scalar: (_, { type, range }) => {
        if (type?.startsWith('QUOTE') && range) [open] = range;
      },
    });
    return open;
  }
  let at = from;
  while (text[at] === ' ') at++;
  return at;
}
