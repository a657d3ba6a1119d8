import { compile, StarlangError } from '../starlang/index.js';
import type { ScriptCheck } from './scripts.js';
import { workspaceModules } from './workspace-modules.js';
import { workspaceResources } from './workspace-resources.js';

/** Starlang's own compiler as the judge of scripts, which may import modules of the workspace. */
export function scriptCheck(paths: readonly string[]): ScriptCheck {
  const modules = workspaceModules(workspaceResources(paths));
  return (source) => {
    try {
      return { errors: [], warnings: compile(source, { modules }).warnings };
    } catch (error) {
      if (!(error instanceof StarlangError)) throw error;
      return { errors: error.problems, warnings: [] };
    }
  };
}
