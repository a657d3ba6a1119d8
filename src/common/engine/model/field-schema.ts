import type { JsonSchema } from '../api/workflow-directory.js';
import type { FieldDef, ToolDefinition } from './tool-definition.js';

const KNOWN = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array']);
/** Types that are not JSON's but that JSON Schema 2020-12 knows as formats: told to the reader, enforced by nobody. */
const FORMATS = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
]);

/**
 * What a tool takes, as JSON Schema 2020-12: always an object with `properties`, as strict hosts want it. The author's own
 * schema stands where there is one (contract/tool-component, "Single source of arg-shape truth").
 */
export function inputJsonSchema({ input, inputSchema }: ToolDefinition): JsonSchema {
  return inputSchema === null ? objectSchema(input) : filled(inputSchema);
}

/** What a tool gives (advisory): always an object with `properties`. */
export function outputJsonSchema({ output, outputSchema }: ToolDefinition): JsonSchema {
  return outputSchema === null ? objectSchema(output) : filled(outputSchema);
}

/** `type: object` and `properties: {}` filled in where the author left them out. */
function filled(schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: {}, ...schema };
}

function objectSchema(fields: Readonly<Record<string, FieldDef>>): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { required }]) => required).map(([name]) => name);
  return {
    type: 'object',
    // fromEntries keeps a field called `__proto__` an own property.
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** One field. A type JSON Schema does not know is not claimed, since it is not checked either. */
export function fieldSchema(field: FieldDef): JsonSchema {
  const { type, description, enum: values, fields, items } = field;
  return {
    ...(KNOWN.has(type) ? { type } : FORMATS.has(type) ? { format: type } : {}),
    ...(description === undefined ? {} : { description }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(values === undefined ? {} : { enum: values }),
    ...(type === 'object' && fields ? { ...objectSchema(fields) } : {}),
    ...(type === 'array' && items ? { items: fieldSchema(items) } : {}),
  };
}
