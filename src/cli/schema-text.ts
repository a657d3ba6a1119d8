import { workspaceSchema } from '../common/dsl/index.js';
import { catalogue } from './catalogue.js';

/** The JSON Schema of workspace files as it stands in src/common/dsl/workflow.schema.json. */
export function schemaText(): string {
  return `${JSON.stringify(workspaceSchema(catalogue()), null, 2)}\n`;
}
