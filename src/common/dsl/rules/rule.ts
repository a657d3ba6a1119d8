import type { SchemaValidator } from '../../engine/api/ports.js';
import type { Component } from '../../engine/api/component.js';
import type { StepType } from '../../engine/api/step-type.js';
import type { Place } from '../../engine/model/source-node.js';
import type { WorkspaceDefinition } from '../../engine/model/workflow-definition.js';
import type { ScriptCheck } from '../scripts.js';
import type { TestDefinition } from '../tests/test-definition.js';
import type { SourceFile } from '../source/source-file.js';

/** What this installation of Helix can do: the words a workspace may use. */
export interface Vocabulary {
  readonly components: readonly Component[];
  readonly steps: readonly StepType[];
}

export type Finding = (place: Place, message: string, suggestion?: string) => void;

export interface RuleContext extends Vocabulary {
  readonly checkScript: ScriptCheck;
  readonly schemas: SchemaValidator;
  readonly workspace: WorkspaceDefinition;
  readonly tests: readonly TestDefinition[];
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly error: Finding;
  readonly warning: Finding;
  /** What may well be meant so. */
  readonly info: Finding;
}

/** One check over the whole workspace, beyond the shape of its parts. */
export interface Rule {
  /** Kebab case; stands in every report. */
  readonly id: string;
  /** What the rule asks for, in one sentence. */
  readonly sentence: string;
  check(context: RuleContext): void;
}
