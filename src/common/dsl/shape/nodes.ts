import type { Field } from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import type { JsonSchema } from '../../engine/api/workflow-directory.js';
import { plain, type Place, type SourceNode } from '../../engine/model/source-node.js';

/** Reports a value of the wrong kind. */
export function wrongValue(reader: FieldReader, place: Place, message: string): void {
  reader.problem({ severity: 'error', rule: 'wrong-value', message, place });
}

/** Taken as it stands, to be read by whoever knows its shape; null where it is absent. */
export function node(sentence: string, schema: JsonSchema): Field<SourceNode | null> {
  return { kind: 'node', sentence, required: false, fallback: null, schema, read: (source) => source };
}

/** A JSON Schema 2020-12 written out by the author; null where it is absent. */
export function jsonSchema(sentence: string): Field<JsonSchema | null> {
  return {
    kind: 'json-schema',
    sentence,
    required: false,
    fallback: null,
    schema: { type: 'object' },
    read(source, reader) {
      if (source.kind === 'map') return plain(source) as JsonSchema;
      wrongValue(reader, source.place, 'A JSON Schema is a map such as { type: object, properties: … }.');
      return null;
    },
  };
}

/** Text of a given pattern. */
export function pattern(sentence: string, expression: RegExp, expected: string): Field<string> {
  return {
    kind: 'text',
    sentence,
    required: true,
    fallback: '',
    schema: { type: ['string', 'number'], pattern: expression.source },
    read(source, reader) {
      const text = source.kind === 'scalar' && source.value !== null ? String(source.value) : undefined;
      if (text !== undefined && expression.test(text)) return text;
      wrongValue(reader, source.place, `This must be ${expected}.`);
      return '';
    },
  };
}
