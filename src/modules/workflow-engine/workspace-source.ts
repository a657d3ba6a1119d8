import type { StepType } from '../../common/engine/api/step-type.js';
import type { SchemaValidator } from '../../common/engine/api/ports.js';
import type { Component } from '../../common/engine/api/component.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';

/** What a workspace is held against when it is loaded. */
export interface WorkspaceGauge {
  readonly schemas: SchemaValidator;
  readonly components: readonly Component[];
  readonly steps: readonly StepType[];
  readonly builder: { check(workspace: WorkspaceDefinition): readonly WorkspaceProblem[] };
}

export interface LoadedWorkspace {
  readonly definition: WorkspaceDefinition;
  /** Of reading, building and checking; one of severity `error` is enough to refuse the workspace. */
  readonly problems: readonly WorkspaceProblem[];
}

/** Where the engine's workspace comes from. Asked at start and at each reload. */
export abstract class WorkspaceSource {
  abstract load(gauge: WorkspaceGauge): Promise<LoadedWorkspace>;
}
