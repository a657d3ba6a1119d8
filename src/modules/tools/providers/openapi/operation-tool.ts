import type { JsonSchema } from '../../../../common/engine/api/workflow-directory.js';
import { type CatalogueTool, unknownPrice } from '../../tool-descriptor.js';
import type { Operation, Section } from './operation.js';

const maxResultBytes = 1024 * 1024;
const timeoutMs = 60_000;
const longestSummary = 200;

/** An operation as a tool: its input has the sections `path`, `query`, `header`, `cookie` and `body` of the request. */
export function toolOf(operation: Operation, provider: string): CatalogueTool {
  const { id, method, path, summary, description, isDeprecated, docsUrl } = operation;
  const isReading = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  return {
    id: `${provider}:${id}`,
    provider,
    origin: 'upstream',
    name: summary ?? id,
    summary: (summary ?? description ?? `${method} ${path}`).slice(0, longestSummary),
    description: description ?? summary,
    inputSchema: inputSchemaOf(operation),
    outputSchema: operation.result === null ? null : withDefs(operation.result, operation),
    policy: {
      timeoutMs,
      maxResultBytes,
      sideEffects: isReading ? 'read' : 'write',
      redispatch: isReading ? 'safe' : 'never',
      requiresProject: false,
    },
    pricing: unknownPrice(provider),
    status: 'available',
    statusNote: isDeprecated ? 'The API calls this operation deprecated.' : null,
    docsUrl,
  };
}

function inputSchemaOf(operation: Operation): JsonSchema {
  const properties: Record<string, JsonSchema | boolean> = {};
  const required: string[] = [];
  for (const section of ['path', 'query', 'header', 'cookie'] as const) {
    const schema = sectionSchema(operation, section);
    if (schema === null) continue;
    properties[section] = schema;
    if ((schema['required'] as string[]).length > 0) required.push(section);
  }
  if (operation.body !== null) {
    properties['body'] = operation.body.schema;
    if (operation.body.isRequired) required.push('body');
  }
  return withDefs({ type: 'object', properties, required, additionalProperties: false }, operation);
}

function sectionSchema({ parameters }: Operation, section: Section): JsonSchema | null {
  const own = parameters.filter((parameter) => parameter.section === section);
  if (own.length === 0) return null;
  const properties = own.map(({ name, schema, description }) => {
    const said = description === null || typeof schema === 'boolean' || 'description' in schema;
    return [name, said ? schema : { ...schema, description }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: own.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

function withDefs(schema: JsonSchema, { defs }: Operation): JsonSchema {
  return defs === null ? schema : { ...schema, $defs: defs };
}
