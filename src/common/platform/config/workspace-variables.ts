import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from './configuration-error.js';
import type { Environment } from './process-environment.js';

/** The variable that workspaces take the key of their MCP server from. */
const mcpKey = 'HELIX_MCP_KEY';

/**
 * What fills the `${NAME}` of a workspace: the environment, and a `HELIX_MCP_KEY` of this home where the environment has
 * none, so that the example's MCP server is guarded from the first start on without anybody setting anything. The key is
 * looked for, or made, when a workspace asks for it: a home that needs none may be read-only.
 * @param keep whether a key that is made is written to `HELIX_HOME/mcp-key` (0600); false for commands that only look
 */
export function workspaceVariables(
  home: string,
  environment: Environment,
  { keep }: { readonly keep: boolean },
): Environment {
  if (environment[mcpKey]) return environment;
  let key: string | undefined;
  return Object.defineProperty({ ...environment }, mcpKey, {
    enumerable: true,
    get: () => (key ??= homeKey(home, keep)),
  });
}

function homeKey(home: string, keep: boolean): string {
  const path = join(home, 'mcp-key');
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (kept !== '') return kept;
  const made = `mcp_${randomBytes(24).toString('base64url')}`;
  if (keep) write(home, path, made);
  return made;
}

function write(home: string, path: string, key: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${key}\n`, { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (cause) {
    throw new ConfigurationError([
      `${path} cannot be written (${(cause as NodeJS.ErrnoException).code}): set ${mcpKey}, or name a HELIX_HOME that ` +
        'this user may write.',
    ]);
  }
}
