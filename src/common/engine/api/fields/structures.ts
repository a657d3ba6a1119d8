import { plain } from '../../model/source-node.js';
import { asText, wrong, type Extras, type Field, type Shape, type ShapeValues } from './field.js';
import { readShape } from './read-shape.js';
import { shapeSchema } from './shape-schema.js';

/** A list of texts, or one text. */
export function texts(
  sentence: string,
  extras: Extras & { readonly required?: boolean } = {},
): Field<readonly string[]> {
  return {
    kind: 'texts',
    sentence,
    required: extras.required ?? false,
    fallback: [],
    schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    ...(extras.shorthand ? { shorthand: true } : {}),
    read(source, reader) {
      const items = source.kind === 'list' ? source.items : [source];
      const found = items.map((item) => (item.kind === 'scalar' ? asText(item.value) : undefined));
      if (found.every((item) => item !== undefined)) return found;
      wrong(reader, source, 'This must be text or a list of texts.');
      return [];
    },
  };
}

/** Anything at all, as plain data; undefined where it is absent. */
export function any(sentence: string): Field<unknown> {
  return {
    kind: 'any',
    sentence,
    required: false,
    fallback: undefined,
    schema: {},
    read: (source) => plain(source),
  };
}

/** A map of fields under one key; null where it is absent. */
export function group<S extends Shape>(sentence: string, shape: S): Field<ShapeValues<S> | null> {
  return {
    kind: 'group',
    sentence,
    required: false,
    fallback: null,
    schema: shapeSchema(shape),
    read: (source, reader) => readShape(source, shape, reader),
  };
}

/** A list of maps of the same shape, e.g. the branches of a `choice`. One map alone counts as a list of one. */
export function groups<S extends Shape>(sentence: string, shape: S): Field<readonly ShapeValues<S>[]> {
  const item = shapeSchema(shape);
  return {
    kind: 'groups',
    sentence,
    required: true,
    fallback: [],
    schema: { anyOf: [{ type: 'array', items: item }, item] },
    read: (source, reader) =>
      (source.kind === 'list' ? source.items : [source]).map((entry) => readShape(entry, shape, reader)),
  };
}

/** Maps of the same shape under names of the author's choice. */
export function named<S extends Shape>(
  sentence: string,
  shape: S,
): Field<ReadonlyMap<string, ShapeValues<S>>> {
  return {
    kind: 'named',
    sentence,
    required: true,
    fallback: new Map(),
    schema: { type: 'object', minProperties: 1, additionalProperties: shapeSchema(shape) },
    read(source, reader) {
      if (source.kind === 'map' && source.entries.length > 0)
        return new Map(source.entries.map(({ key, value }) => [key, readShape(value, shape, reader)]));
      wrong(reader, source, 'Write a map with at least one name.');
      return new Map();
    },
  };
}
