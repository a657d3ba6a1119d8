import { any, flag, readShape, text, type Field } from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import type { JsonSchema } from '../../engine/api/workflow-directory.js';
import { plain, type SourceNode } from '../../engine/model/source-node.js';
import type { FieldDef } from '../../engine/model/tool-definition.js';
import { origins } from '../origins.js';
import { wrongValue } from './nodes.js';

/** The schema of one field, for the `$defs` of the workspace's JSON Schema. */
export const fieldDefinition = 'field';

const fieldRef: JsonSchema = { $ref: `#/$defs/${fieldDefinition}` };

const values: Field<readonly unknown[] | null> = {
  kind: 'list',
  sentence: 'The only values allowed.',
  required: false,
  fallback: null,
  schema: { type: 'array', minItems: 1 },
  read(source, reader) {
    if (source.kind === 'list' && source.items.length > 0) return source.items.map(plain);
    wrongValue(reader, source.place, 'An enum is a list of at least one value.');
    return null;
  },
};

/** Arguments or results of a tool by name. */
export function fieldDefs(sentence: string): Field<Readonly<Record<string, FieldDef>> | null> {
  return {
    kind: 'fields',
    sentence,
    required: false,
    fallback: null,
    schema: { type: 'object', additionalProperties: fieldRef },
    read: (source, reader) => readFieldDefs(source, reader),
  };
}

const items: Field<FieldDef | null> = {
  kind: 'field',
  sentence: 'What each item of an array is.',
  required: false,
  fallback: null,
  schema: fieldRef,
  read: (source, reader) => readFieldDef(source, reader),
};

export const fieldShape = {
  type: text(
    'string, number, integer, boolean, object or array; any other word (date, email) is not checked.',
  ),
  description: text('What the field is for, as a person or a model reads it.', null),
  required: flag('The field must be given.'),
  default: any('Taken where the field is not given.'),
  enum: values,
  fields: fieldDefs('The fields of an object.'),
  items,
} as const;

function readFieldDefs(source: SourceNode, reader: FieldReader): Readonly<Record<string, FieldDef>> | null {
  if (source.kind === 'scalar' && source.value === null) return {};
  if (source.kind !== 'map') {
    wrongValue(reader, source.place, 'Write a map from field name to { type, description, required, … }.');
    return null;
  }
  const defs: Record<string, FieldDef> = {};
  for (const { key, value } of source.entries) {
    const def = readFieldDef(value, reader);
    Object.defineProperty(defs, key, { value: def, writable: true, enumerable: true, configurable: true });
  }
  return defs;
}

function readFieldDef(source: SourceNode, reader: FieldReader): FieldDef {
  const read = readShape(source, fieldShape, reader);
  const def: FieldDef = {
    type: read.type,
    ...(read.description === null ? {} : { description: read.description }),
    ...(read.required ? { required: true } : {}),
    ...(read.default !== undefined ? { default: coerce(read.default, read.type, source) } : {}),
    ...(read.enum === null ? {} : { enum: read.enum }),
    ...(read.fields === null ? {} : { fields: read.fields }),
    ...(read.items === null ? {} : { items: read.items }),
  };
  origins.set(def, source);
  return def;
}

/** A default that came from a variable is text: it becomes what the field declares, where it can. */
function coerce(value: unknown, type: string, source: SourceNode): unknown {
  const written =
    source.kind === 'map' ? source.entries.find(({ key }) => key === 'default')?.value : undefined;
  if (typeof value !== 'string' || written?.kind !== 'scalar' || written.written === undefined) return value;
  if ((type === 'integer' || type === 'number') && value.trim() !== '' && Number.isFinite(Number(value))) {
    return Number(value);
  }
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
