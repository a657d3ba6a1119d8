import { shapeDefs, shapeSchema, stepExtras } from '../../engine/api/fields/index.js';
import { clauseShape } from '../../engine/error-handlers/exception-clause.js';
import { errorHandlerShape } from '../../engine/error-handlers/read-error-handler.js';
import { interceptionShape } from '../../engine/runtime/interception-shape.js';
import type { StepType } from '../../engine/api/step-type.js';
import type { JsonSchema } from '../../engine/api/workflow-directory.js';
import type { Vocabulary } from '../rules/rule.js';
import { fieldDefinition, fieldShape } from '../shape/field-defs.js';
import { toolShape } from '../shape/tool-shape.js';
import { policyShape, workflowShape } from '../shape/workflow-shape.js';
import { mcpShape, openApiShape } from '../catalogue/catalogue-shape.js';
import { testShape } from '../tests/test-shape.js';
import { furtherSections } from '../shape/workspace-shape.js';
import { optionsByScheme, optionsBySchemeRef, uriSchema } from './uri-schema.js';

/**
 * JSON Schema 2020-12 of a workspace file, from the same tables that read it. It is for editors, which complete and
 * underline by it; the reader stays the judge.
 */
export function workspaceSchema({ components, steps }: Vocabulary): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  for (const [key, schema] of Object.entries(shapeDefs)) definitions[key] = schema;
  definitions['uri'] = uriSchema(components);
  Object.assign(definitions, optionsByScheme(components));
  definitions['step'] = stepSchema({ components, steps });
  definitions['steps'] = { type: ['array', 'null'], items: { $ref: '#/$defs/step' } };
  definitions[fieldDefinition] = { ...shapeSchema(fieldShape), description: 'One argument or result.' };
  definitions['tool'] = shapeSchema(toolShape);
  definitions['workflow'] = {
    ...shapeSchema(workflowShape),
    oneOf: [{ required: ['trigger'] }, { required: ['from'] }],
  };
  definitions['test'] = {
    ...shapeSchema(testShape),
    oneOf: [{ required: ['workflow'] }, { required: ['tool'] }],
  };
  definitions['catalogue-source'] = { oneOf: [shapeSchema(openApiShape), shapeSchema(mcpShape)] };
  definitions['error-handler'] = shapeSchema(errorHandlerShape);
  const clause = shapeSchema(clauseShape);
  definitions['on-exception'] = { anyOf: [clause, { type: 'array', items: clause }] };
  const interceptors = shapeSchema(interceptionShape);
  definitions['interceptors'] = { anyOf: [interceptors, { type: 'array', items: interceptors }] };
  definitions['variable'] = {
    type: 'string',
    pattern: '\\$\\{',
    description: 'A variable: ${NAME} or ${NAME:default}.',
  };
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
      catalogue: {
        description: furtherSections.catalogue,
        type: 'object',
        additionalProperties: { $ref: '#/$defs/catalogue-source' },
      },
      tests: listOf('test', `${furtherSections.tests} \`helix test\` runs them.`),
      ...Object.fromEntries(
        Object.entries(policyShape).map(([key, { sentence }]) => [
          key,
          { $ref: `#/$defs/${key}`, description: `${sentence} The default for every workflow.` },
        ]),
      ),
    },
    additionalProperties: false,
    $defs: Object.fromEntries(
      Object.entries(definitions).map(([key, schema]) => [key, withVariables(schema) as JsonSchema]),
    ),
  };
}

/** A number or truth value may also be a variable, which is text until it is filled in. */
function withVariables(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withVariables);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(
    Object.entries(schema).map(([key, member]) => [
      key,
      literalKeys.has(key) ? member : withVariables(member),
    ]),
  );
  const { type, description, ...rest } = members;
  if (type !== 'integer' && type !== 'number' && type !== 'boolean') return members;
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [{ type, ...rest }, { $ref: '#/$defs/variable' }],
  };
}

const literalKeys = new Set(['enum', 'const', 'default', 'required', 'examples']);

function listOf(name: string, description: string): JsonSchema {
  return { type: ['array', 'null'], description, items: { $ref: `#/$defs/${name}` } };
}

/** Whether the step's own map holds `uri` and `parameters`. */
function isTarget({ shape }: StepType): boolean {
  return Object.values(shape).some(({ inline = [] }) => inline !== 'rest' && inline.includes('parameters'));
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
          {
            ...shapeSchema(type.shape),
            ...(isTarget(type) ? optionsBySchemeRef : {}),
            description: type.description,
          },
        ]),
      ),
    },
    additionalProperties: false,
    oneOf: keywords.map(({ keyword }) => ({ required: [keyword] })),
  };
}
