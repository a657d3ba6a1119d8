import {
  parseWorkspace,
  scriptCheck,
  validateWorkspace,
  type ParsedWorkspace,
  type Vocabulary,
} from '../common/dsl/index.js';
import type { WorkspaceProblem } from '../common/engine/model/workflow-definition.js';
import { Engine } from '../common/engine/runtime/engine.js';
import type { Environment } from '../common/platform/config/process-environment.js';
import { JsonSchemaValidator } from '../common/platform/schema/json-schema-validator.js';
import { StarlangLanguage } from '../common/dsl/starlang-language.js';
import { workspaceResources } from '../common/dsl/workspace-resources.js';
import { catalogue } from './catalogue.js';

export interface CheckedWorkspace extends ParsedWorkspace {
  readonly problems: readonly WorkspaceProblem[];
  readonly vocabulary: Vocabulary;
}

/** Reads and checks a workspace as `run` would, and starts nothing of it: no database, no port, no connection. */
export async function checkWorkspace(
  paths: readonly string[],
  variables: Environment,
  scope: { readonly withTests?: boolean } = {},
): Promise<CheckedWorkspace> {
  const language = new StarlangLanguage({ readResource: workspaceResources(paths) });
  const validator = new JsonSchemaValidator();
  const vocabulary = catalogue({ language, validator });
  const builder = new Engine({
    ...vocabulary,
    interceptors: [],
    language,
    validator,
    clock: { now: () => Date.now(), schedule: () => () => {} },
    ids: { next: () => '' },
    log: { write: () => {} },
  });
  const parsed = await parseWorkspace(paths, variables, scope);
  const problems = validateWorkspace(parsed, {
    ...vocabulary,
    builder,
    checkScript: scriptCheck(paths),
    schemas: validator,
  });
  return { ...parsed, vocabulary, problems };
}
