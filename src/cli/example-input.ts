import type { ToolDefinition } from '../common/engine/model/tool-definition.js';
import type { JsonSchema } from '../common/engine/api/workflow-directory.js';

/**
 * Arguments that fit the schema as far as can be told from it: defaults, examples, first of an enum, what a description
 * shows ("Customer number, e.g. C-1042"), else a plain value.
 */
export function exampleInput(schema: JsonSchema | null): unknown {
  return example(schema ?? { type: 'object' }, 0);
}

function example(schema: JsonSchema, depth: number): unknown {
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['default'] !== undefined) return schema['default'];
  for (const key of ['examples', 'enum'] as const) {
    const list = schema[key];
    if (Array.isArray(list) && list.length > 0) return list[0] as unknown;
  }
  const type = Array.isArray(schema['type']) ? (schema['type'] as unknown[])[0] : schema['type'];
  if (type === 'object' || schema['properties'] !== undefined) {
    if (depth > 4) return {};
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
    const required = (schema['required'] ?? []) as readonly string[];
    return Object.fromEntries(
      required.flatMap((name) => (properties[name] ? [[name, example(properties[name], depth + 1)]] : [])),
    );
  }
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number')
    return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : (shownIn(schema['description']) ?? 'hello');
}

function shownIn(description: unknown): string | undefined {
  return typeof description === 'string' ? /\be\.g\.,? "?([^"]+?)"?\.?$/.exec(description)?.[1] : undefined;
}

interface Candidate {
  readonly definition: Pick<ToolDefinition, 'id' | 'policy'>;
  readonly inputSchema: JsonSchema;
}

/** A tool for a first try: one that only reads, if there is one, with the fewest arguments. */
export function easiestTool(tools: readonly Candidate[]): { toolId: string; input: unknown } | null {
  const effort = ({ definition, inputSchema }: Candidate): number => {
    const required = (inputSchema['required'] ?? []) as readonly unknown[];
    const { sideEffects, requiresProject } = definition.policy;
    return required.length + (sideEffects === 'write' ? 1000 : 0) + (requiresProject ? 10_000 : 0);
  };
  const [easiest] = [...tools].sort((a, b) => effort(a) - effort(b));
  return easiest ? { toolId: easiest.definition.id, input: exampleInput(easiest.inputSchema) } : null;
}
