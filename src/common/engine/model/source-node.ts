import { dirname, relative } from 'node:path';

/** Where something stands in a workspace file; line and column are 1-based. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A place as a message that stands at another names it: `line 7`, or `more/w.yaml:7` beside the other's file. */
export function placeSeenFrom(from: Place, { file, line }: Place): string {
  return file === from.file ? `line ${line}` : `${relative(dirname(from.file), file)}:${line}`;
}

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly place: Place;
  readonly value: string | number | boolean | null;
  /** The text came, in whole or in part, from a variable: it must not show in a log, an error, an answer or a graph. */
  readonly secret: boolean;
  /** The text as it stands in the file, where it names a variable: what may be shown in place of `value`. */
  readonly written?: string;
}

export interface ListNode {
  readonly kind: 'list';
  readonly place: Place;
  readonly items: readonly SourceNode[];
}

export interface MapEntry {
  readonly key: string;
  readonly place: Place;
  readonly value: SourceNode;
}

export interface MapNode {
  readonly kind: 'map';
  readonly place: Place;
  readonly entries: readonly MapEntry[];
}

/** A value of a workspace file with its place, variables already filled in. */
export type SourceNode = ScalarNode | ListNode | MapNode;

/** The node as plain data. Keys such as `__proto__` stay own properties. */
export function plain(node: SourceNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  const record: Record<string, unknown> = {};
  for (const { key, value } of node.entries) {
    Object.defineProperty(record, key, {
      value: plain(value),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return record;
}

export function entry(node: MapNode, key: string): SourceNode | undefined {
  return node.entries.find((candidate) => candidate.key === key)?.value;
}
