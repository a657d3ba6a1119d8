import type { ToolDefinition } from '../../common/engine/model/tool-definition.js';

/** What tools there are, for whoever shows or sells them. Their JSON Schemas: `inputJsonSchema`, `outputJsonSchema`. */
export interface ToolCatalogue {
  list(): readonly ToolDefinition[];
  get(id: string): ToolDefinition | undefined;
}
