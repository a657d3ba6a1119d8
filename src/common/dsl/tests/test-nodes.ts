import { plain, type Place, type SourceNode } from '../../engine/model/source-node.js';
import type { AddressText, Data } from './test-definition.js';

const nowhere: Place = { file: '', line: 1, column: 1 };

/** One thing alone counts as a list of one, as in the shapes. */
export function itemsOf(source: SourceNode): readonly SourceNode[] {
  return source.kind === 'list' ? source.items : [source];
}

/** Where the key stands; where it is absent, the map. */
export function entryPlace(source: SourceNode | undefined, key: string): Place {
  const found = source?.kind === 'map' ? source.entries.find((each) => each.key === key) : undefined;
  return found?.place ?? source?.place ?? nowhere;
}

export function dataOf(source: SourceNode | null, place = source?.place): Data | null {
  return source === null ? null : { value: plain(source), place: place ?? source.place };
}

/** A map as plain data; anything else counts as an empty one. */
export function recordOf(source: SourceNode | null): Readonly<Record<string, unknown>> {
  return source?.kind === 'map' ? (plain(source) as Readonly<Record<string, unknown>>) : {};
}

/** Texts with their places. */
export function textsOf(source: SourceNode | undefined): readonly { text: string; place: Place }[] {
  if (source === undefined) return [];
  return itemsOf(source).flatMap((item) =>
    item.kind === 'scalar' && item.value !== null ? [{ text: String(item.value), place: item.place }] : [],
  );
}

export const addresses = (source: SourceNode | undefined): readonly AddressText[] => textsOf(source);
