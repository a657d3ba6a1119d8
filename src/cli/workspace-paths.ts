import { delimiter, resolve } from 'node:path';
import type { Environment } from '../common/platform/config/process-environment.js';
import { workspaceVariables } from '../common/platform/config/workspace-variables.js';
import { readConfig } from './read-config.js';
import type { Terminal } from './terminal.js';

/** The files and folders a command is about: those named, several to a word separated by `:`, else `HELIX_WORKFLOWS`. */
export async function workspacePaths(
  named: readonly string[],
  terminal: Terminal,
): Promise<readonly string[]> {
  if (named.length === 0) return (await readConfig(terminal.environment)).workflows;
  return named
    .flatMap((word) => word.split(delimiter))
    .filter((path) => path.trim() !== '')
    .map((path) => resolve(terminal.folder, path));
}

/** What fills a workspace for a command that only looks at it: the same as for `run`, and nothing is written. */
export function lookingVariables({ environment, folder }: Terminal): Environment {
  const home = resolve(folder, environment['HELIX_HOME']?.trim() || '.helix');
  return workspaceVariables(home, environment, { keep: false });
}
