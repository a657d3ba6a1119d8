import type { JsonSchema, WorkflowInfo } from '../../common/engine/api/workflow-directory.js';

/** Triggers of agents: they take a message in a thread, whether their author wrote a schema or not. */
const agentSchemes: ReadonlySet<string> = new Set(['agui', 'a2a-server']);

const agentSchema: JsonSchema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What to say to the agent.' },
    thread_id: { type: 'string', description: 'The conversation to go on with; leave it out to begin one.' },
  },
  required: ['message'],
};

/** The schema a tool shows and checks (contract/mcp-server-component, "How routes are exposed"). */
export function inputSchemaOf(workflow: WorkflowInfo): JsonSchema {
  const written = workflow.inputSchema;
  if (written === null) return agentSchemes.has(workflow.scheme) ? agentSchema : asObjectSchema({});
  return asObjectSchema(written);
}

/**
 * The schema with `type: object` and an object under `properties`, since hosts drop a tool, some of them the whole
 * list, that lacks either. Every other keyword stays as its author wrote it.
 */
export function asObjectSchema(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  const isFilled = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
  if (schema['type'] === 'object' && isFilled) return schema;
  return { ...schema, type: 'object', properties: isFilled ? properties : {} };
}

/** The schema of the result, where MCP can show it: its root must be an object. */
export function outputSchemaOf(workflow: WorkflowInfo): JsonSchema | undefined {
  return workflow.outputSchema?.['type'] === 'object' ? workflow.outputSchema : undefined;
}
