import type { FieldProblem } from '../../common/engine/errors/helix-error.js';
import type { ToolDefinition } from '../../common/engine/model/tool-definition.js';

/** What tools there are, for whoever shows or sells them. Their JSON Schemas: `inputJsonSchema`, `outputJsonSchema`. */
export interface ToolCatalogue {
  /** The same list, by identity, as long as the tools are the same. */
  list(): readonly ToolDefinition[];
  get(id: string): ToolDefinition | undefined;
  /** What a call with these arguments would be refused for, without running anything; empty where it would run. */
  problems(id: string, args: unknown): readonly FieldProblem[];
}
