import type { JsonSchema } from '../../common/engine/api/workflow-directory.js';
import type { FieldProblem } from '../../common/engine/errors/helix-error.js';
import type { EngineClient } from '../../common/engine/api/engine-client.js';
import type { CatalogueSource } from '../../common/dsl/index.js';
import type { ToolDefinition } from '../../common/engine/model/tool-definition.js';

/** A tool of the engine with the schemas that its arguments and result are described by. */
export interface ShelvedTool {
  readonly definition: ToolDefinition;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
}

const none: readonly CatalogueSource[] = [];

/** What the catalogue asks of the engine: which tools there are, and the one way to run one. */
export abstract class ToolShelf {
  /** Changes identity when the tools change, so that what was made from it can be kept that long. */
  abstract all(): readonly ShelvedTool[];
  /** What the tool would refuse these arguments for, without running it; paths within the arguments. */
  abstract problems(id: string, args: unknown): readonly FieldProblem[];
  abstract readonly engine: EngineClient;

  /** Told when a reload changed the tools. @returns how to stop listening */
  onChange(_listener: () => void): () => void {
    return () => undefined;
  }

  /** Foreign APIs that the workspace takes tools from; the same list as long as it says the same. */
  sources(): readonly CatalogueSource[] {
    return none;
  }
}
