import { Injectable } from '@nestjs/common';
import { type CatalogueSource, readCatalogue } from '../../common/dsl/index.js';
import { literal } from '../../common/engine/api/fields/index.js';
import type { FieldProblem } from '../../common/engine/errors/helix-error.js';
import type { WorkspaceDefinition } from '../../common/engine/model/workflow-definition.js';
import { inputJsonSchema, outputJsonSchema, ToolComponent } from '../../components/tool/index.js';
import { type ShelvedTool, ToolShelf } from '../tools/index.js';
import { WorkflowEngine } from './workflow-engine.js';

/** The tools of the running workspace, for the catalogue. */
@Injectable()
export class EngineToolShelf extends ToolShelf {
  #tools: readonly ShelvedTool[] = [];
  #workspace: WorkspaceDefinition | null = null;
  #sources: readonly CatalogueSource[] = [];
  #of: ReturnType<ToolComponent['list']> = [];

  constructor(
    readonly engine: WorkflowEngine,
    private readonly component: ToolComponent,
  ) {
    super();
  }

  problems(id: string, args: unknown): readonly FieldProblem[] {
    return this.component.problems(id, args);
  }

  override onChange(listener: () => void): () => void {
    return this.engine.onChange(listener);
  }

  override sources(): readonly CatalogueSource[] {
    const { workspace } = this.engine;
    if (workspace !== this.#workspace) {
      this.#workspace = workspace;
      // What is wrong with it was reported when the workspace was loaded.
      const reader = { problem: () => undefined, expression: () => literal(null) };
      this.#sources = readCatalogue(workspace?.sections.get('catalogue') ?? [], reader);
    }
    return this.#sources;
  }

  /** The same list as long as the component holds the same tools. */
  all(): readonly ShelvedTool[] {
    const definitions = this.component.list();
    if (definitions === this.#of) return this.#tools;
    this.#of = definitions;
    this.#tools = definitions.map((definition) => ({
      definition,
      inputSchema: inputJsonSchema(definition),
      outputSchema:
        Object.keys(definition.output).length > 0 || definition.outputSchema
          ? outputJsonSchema(definition)
          : null,
    }));
    return this.#tools;
  }
}
