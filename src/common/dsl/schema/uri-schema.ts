import type { Component } from '../../engine/api/component.js';
import type { Option, OptionTable } from '../../engine/api/options.js';
import type { JsonSchema } from '../../engine/api/workflow-directory.js';

const definition = 'options-by-scheme';

/** Beside whatever holds `uri` and `parameters`: with the scheme in sight an editor can complete the options. */
export const optionsBySchemeRef: JsonSchema = { allOf: [{ $ref: `#/$defs/${definition}` }] };

/** What {@link optionsBySchemeRef} refers to. */
export function optionsByScheme(components: readonly Component[]): Readonly<Record<string, JsonSchema>> {
  return { [definition]: { allOf: components.map(optionsOfScheme) } };
}

/** A URI as text, or a map of `uri` and `parameters`. */
export function uriSchema(components: readonly Component[]): JsonSchema {
  const schemes = components.map(({ scheme }) => scheme);
  const text: JsonSchema = {
    type: 'string',
    pattern: '^\\s*([A-Za-z][A-Za-z0-9+.-]*:|\\$\\{)',
    description: `scheme://path?option=value, with one of the schemes ${schemes.join(', ')}.`,
  };
  return {
    description: text['description'],
    anyOf: [
      text,
      {
        type: 'object',
        properties: { uri: text, parameters: { type: 'object' } },
        required: ['uri'],
        additionalProperties: false,
        ...optionsBySchemeRef,
      },
    ],
  };
}

function optionsOfScheme({ scheme, options }: Component): JsonSchema {
  const parameters = { type: 'object', properties: optionSchemas(options), additionalProperties: false };
  const isOfScheme = {
    properties: { uri: { type: 'string', pattern: `^\\s*${escaped(scheme)}:` } },
    required: ['uri'],
  };
  // `then` is a keyword of JSON Schema here; nobody awaits a schema.
  // oxlint-disable-next-line unicorn/no-thenable
  return { if: isOfScheme, then: { properties: { parameters } } };
}

function optionSchemas(options: OptionTable): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionSchema(option)]));
}

function optionSchema({ kind, sentence, fallback, values, minimum, maximum }: Option<unknown>): JsonSchema {
  const range = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
  const forms: Readonly<Record<typeof kind, JsonSchema>> = {
    string: { type: ['string', 'number', 'boolean'] },
    integer: { type: 'integer', ...range },
    number: { type: 'number', ...range },
    boolean: { type: 'boolean' },
    duration: { anyOf: [{ $ref: '#/$defs/duration' }, { $ref: '#/$defs/variable' }] },
    enum: { anyOf: [{ enum: [...(values ?? [])] }, { $ref: '#/$defs/variable' }] },
    list: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: ['string', 'number'] } }] },
    map: { type: 'object' },
  };
  const isPlain =
    typeof fallback === 'string' || typeof fallback === 'number' || typeof fallback === 'boolean';
  return { ...forms[kind], description: sentence, ...(isPlain ? { default: fallback } : {}) };
}

const escaped = (scheme: string): string => scheme.replace(/[.+*?^${}()|[\]\\]/g, '\\$&');
