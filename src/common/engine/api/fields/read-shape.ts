import type { MapEntry, MapNode, SourceNode } from '../../model/source-node.js';
import { closest } from '../options.js';
import type { FieldReader } from '../route-builder.js';
import type { Field, Shape, ShapeValues } from './field.js';

/** The typed fields of a map, with every problem reported to the reader. Never throws. */
export function readShape<S extends Shape>(
  source: SourceNode,
  shape: S,
  reader: FieldReader,
): ShapeValues<S> {
  const fields = Object.entries(shape);
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const found = source.kind === 'map' ? sort(source, fields, reader) : short(source, fields, reader);
  for (const [name, field] of fields) {
    const given = found.get(name);
    if (given !== undefined) values[name] = field.read(given, reader);
    else {
      if (field.required && found !== misread) missing(source, name, field, reader);
      values[name] = field.fallback;
    }
  }
  return values as ShapeValues<S>;
}

type Found = ReadonlyMap<string, SourceNode>;
/** Stands for a body of the wrong kind, which is one problem and not one per missing field. */
const misread: Found = new Map();

/** A body that is no map stands for the field marked as shorthand; an empty body is an empty map. */
function short(source: SourceNode, fields: readonly [string, Field<unknown>][], reader: FieldReader): Found {
  if (source.kind === 'scalar' && source.value === null) return new Map();
  const field = fields.find(([, { shorthand }]) => shorthand);
  if (field) return new Map([[field[0], source]]);
  const known = fields.flatMap(([name, { inline }]) => (inline && inline !== 'rest' ? inline : [name]));
  reader.problem({
    severity: 'error',
    rule: 'wrong-value',
    message: `Write a map here${known.length > 0 ? ` with ${known.join(', ')}` : ''}.`,
    place: source.place,
  });
  return misread;
}

/** Gives each entry of the map to the field it belongs to. */
function sort(source: MapNode, fields: readonly [string, Field<unknown>][], reader: FieldReader): Found {
  const owners = new Map<string, string>();
  let rest: string | undefined;
  for (const [name, { inline }] of fields) {
    if (inline === 'rest') rest = name;
    else for (const key of inline ?? [name]) owners.set(key, name);
  }
  const shares = new Map<string, MapEntry[]>();
  const found = new Map<string, SourceNode>();
  for (const item of source.entries) {
    const owner = owners.get(item.key) ?? rest;
    if (owner === undefined) unknown(item, [...owners.keys()], reader);
    else if (shape(fields, owner).inline) shares.set(owner, [...(shares.get(owner) ?? []), item]);
    else found.set(owner, item.value);
  }
  for (const [owner, entries] of shares) {
    found.set(owner, { kind: 'map', place: entries[0]?.place ?? source.place, entries });
  }
  return found;
}

function shape(fields: readonly [string, Field<unknown>][], name: string): Field<unknown> {
  const field = fields.find(([key]) => key === name);
  if (!field) throw new TypeError(`No field ${name}.`);
  return field[1];
}

function unknown({ key, place }: MapEntry, known: readonly string[], reader: FieldReader): void {
  const suggestion = closest(key, known);
  reader.problem({
    severity: 'error',
    rule: 'unknown-key',
    message: `"${key}" is not known here${suggestion ? `; did you mean "${suggestion}"?` : known.length > 0 ? `; write one of ${known.join(', ')}.` : '.'}`,
    place,
    ...(suggestion ? { suggestion } : {}),
  });
}

function missing(source: SourceNode, name: string, field: Field<unknown>, reader: FieldReader): void {
  const keys = field.inline && field.inline !== 'rest' ? field.inline.join('" or "') : name;
  reader.problem({
    severity: 'error',
    rule: 'missing-key',
    message: `"${keys}" is missing: ${field.sentence}`,
    place: source.place,
  });
}
