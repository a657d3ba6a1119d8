import { shapeDefs, shapeSchema, stepExtras } from '../../engine/api/fields/index.js';
import type { Option, OptionTable } from '../../engine/api/options.js';
import type { JsonSchema } from '../../engine/api/workflow-directory.js';
import type { Vocabulary } from '../rules/rule.js';
import { fieldDefinition, fieldShape } from '../shape/field-defs.js';
import { toolShape } from '../shape/tool-shape.js';
import { policyShape, workflowShape } from '../shape/workflow-shape.js';
import { furtherSections } from '../shape/workspace-shape.js';

/** Schemas of the sections that the engine reads: `error-handler`, `on-exception`, `interceptors`. */
export interface PolicySchemas {
  readonly 'error-handler': JsonSchema;
  readonly 'on-exception': JsonSchema;
  readonly interceptors: JsonSchema;
}

/**
 * JSON Schema 2020-12 of a workspace file, from the same tables that read it. It is for editors, which complete and
 * underline by it; the reader stays the judge.
 */
export function workspaceSchema({ components, steps }: Vocabulary, policies: PolicySchemas): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  for (const [key, schema] of Object.entries(shapeDefs)) definitions[key] = schema;
  definitions['uri'] = uriSchema({ components, steps });
  definitions['step'] = stepSchema({ components, steps });
  definitions['steps'] = { type: ['array', 'null'], items: { $ref: '#/$defs/step' } };
  definitions[fieldDefinition] = { ...shapeSchema(fieldShape), description: 'One argument or result.' };
  definitions['tool'] = shapeSchema(toolShape);
  definitions['workflow'] = {
    ...shapeSchema(workflowShape),
    oneOf: [{ required: ['trigger'] }, { required: ['from'] }],
  };
  for (const [key, schema] of Object.entries(policies)) definitions[key] = schema as JsonSchema;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Helix workspace',
    description: 'Tools and workflows of Helix. Generated from the tables that read them; do not edit.',
    type: 'object',
    properties: {
      tools: listOf('tool', 'Functions that agents, MCP clients, the REST API and workflows call by name.'),
      workflows: listOf('workflow', 'What happens when something arrives.'),
      ...Object.fromEntries(
        Object.entries(furtherSections).map(([key, description]) => [key, { description }]),
      ),
      ...Object.fromEntries(
        Object.entries(policyShape).map(([key, { sentence }]) => [
          key,
          { $ref: `#/$defs/${key}`, description: `${sentence} The default for every workflow.` },
        ]),
      ),
    },
    additionalProperties: false,
    $defs: definitions,
  };
}

function listOf(name: string, description: string): JsonSchema {
  return { type: ['array', 'null'], description, items: { $ref: `#/$defs/${name}` } };
}

function stepSchema({ steps }: Vocabulary): JsonSchema {
  const keywords = steps.flatMap((type) =>
    [type.keyword, ...type.aliases].map((keyword) => ({ keyword, type })),
  );
  const extras: Record<string, JsonSchema> = {
    id: { type: ['string', 'number'], description: 'A name for the step in traces and errors.' },
    description: { type: 'string', description: 'What the step is for.' },
    disabled: { type: 'boolean', description: 'Pass the step over.' },
  };
  return {
    type: 'object',
    description: 'One keyword, with what it takes.',
    properties: {
      ...Object.fromEntries(stepExtras.map((key) => [key, extras[key] ?? {}])),
      ...Object.fromEntries(
        keywords.map(({ keyword, type }) => [
          keyword,
          { ...shapeSchema(type.shape), description: type.description },
        ]),
      ),
    },
    additionalProperties: false,
    oneOf: keywords.map(({ keyword }) => ({ required: [keyword] })),
  };
}

function uriSchema({ components }: Vocabulary): JsonSchema {
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
        // With the scheme in sight an editor can complete the options.
        allOf: components.map(({ scheme, options }) => ({
          if: {
            properties: { uri: { type: 'string', pattern: `^\\s*${escaped(scheme)}:` } },
            required: ['uri'],
          },
          then: {
            properties: {
              parameters: { type: 'object', properties: optionSchemas(options), additionalProperties: false },
            },
          },
        })),
      },
    ],
  };
}

function optionSchemas(options: OptionTable): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionSchema(option)]));
}

/** Options also take text, for a variable is text until it is filled in. */
export function optionSchema(option: Option<unknown>): JsonSchema {
  const { kind, sentence, fallback, values, minimum, maximum } = option;
  const variable: JsonSchema = { type: 'string', pattern: '\\$\\{' };
  const range = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
  const forms: Readonly<Record<typeof kind, JsonSchema>> = {
    string: { type: ['string', 'number', 'boolean'] },
    integer: { anyOf: [{ type: 'integer', ...range }, variable] },
    number: { anyOf: [{ type: 'number', ...range }, variable] },
    boolean: { anyOf: [{ type: 'boolean' }, { enum: ['true', 'false'] }, variable] },
    duration: { anyOf: [{ $ref: '#/$defs/duration' }, variable] },
    enum: { anyOf: [{ enum: [...(values ?? [])] }, variable] },
    list: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: ['string', 'number'] } }] },
    map: { type: 'object' },
  };
  const shownDefault =
    fallback === null || fallback === undefined || Array.isArray(fallback) ? {} : { default: fallback };
  return { ...forms[kind], description: sentence, ...shownDefault };
}

const escaped = (scheme: string): string => scheme.replace(/[.+*?^${}()|[\]\\]/g, '\\$&');
