import type { JsonSchema } from '../workflow-directory.js';
import type { Shape } from './field.js';

const script: JsonSchema = {
  type: 'object',
  properties: { starlang: { type: 'string' } },
  required: ['starlang'],
  additionalProperties: false,
};

/** Schemas that shapes refer to as `#/$defs/…`. */
export const shapeDefs: Readonly<Record<string, JsonSchema>> = {
  expression: {
    description:
      'A literal text, number or truth value; { starlang } for a script; { value } for any literal.',
    anyOf: [
      { type: ['string', 'number', 'boolean', 'null'] },
      script,
      { type: 'object', properties: { value: {} }, required: ['value'], additionalProperties: false },
    ],
  },
  predicate: {
    description: 'A Starlang script that gives true or false.',
    anyOf: [{ type: ['string', 'boolean'] }, script],
  },
  duration: {
    description: 'Milliseconds, or a time span such as 500ms, 30s, 5m, 2h, 1d.',
    anyOf: [
      { type: 'number', minimum: 0 },
      { type: 'string', pattern: '^\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)?$' },
    ],
  },
  uri: {
    description: 'scheme://path?option=value, or { uri, parameters }.',
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        properties: { uri: { type: 'string' }, parameters: { type: 'object' } },
        required: ['uri'],
        additionalProperties: false,
      },
    ],
  },
};

/**
 * JSON Schema 2020-12 of a shape: what may stand under the keyword. It refers to `#/$defs/expression`, `predicate`,
 * `duration`, `uri` (all in {@link shapeDefs}) and to `#/$defs/steps`, which whoever generates the document defines as
 * the list of steps.
 */
export function shapeSchema(shape: Shape): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const oneOf: JsonSchema[] = [];
  let rest: unknown = false;
  for (const [name, field] of Object.entries(shape)) {
    if (field.inline === 'rest') rest = field.schema['additionalProperties'] ?? {};
    else if (field.inline) {
      const inner = field.schema['properties'] as Readonly<Record<string, JsonSchema>>;
      Object.assign(properties, inner);
      const alternatives = (field.schema['required'] as readonly string[] | undefined) ?? Object.keys(inner);
      if (field.required && alternatives.length > 1)
        oneOf.push(...alternatives.map((key) => ({ required: [key] })));
      else if (field.required) required.push(...alternatives);
    } else {
      properties[name] = { ...field.schema, description: field.sentence };
      if (field.required) required.push(name);
    }
  }
  const map: JsonSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(oneOf.length > 0 ? { oneOf } : {}),
    additionalProperties: rest,
  };
  const forms = [
    map,
    ...Object.values(shape)
      .filter(({ shorthand }) => shorthand)
      .map((field) => field.shorthandSchema ?? field.schema),
    ...(required.length === 0 && oneOf.length === 0 ? [{ type: 'null' }] : []),
  ];
  return forms.length === 1 ? map : { anyOf: forms };
}
