import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigurationError } from './configuration-error.js';

/**
 * Makes `HELIX_HOME`, readable by its owner only. A folder that already stands keeps its mode: it may be
 * a mounted volume whose mode is not ours to change; the files we write in it are 0600 either way.
 * @throws ConfigurationError where the folder cannot be made or is not a folder
 */
export async function prepareHome(home: string): Promise<void> {
  try {
    const made = await mkdir(home, { recursive: true, mode: 0o700 });
    if (made !== undefined) await chmod(home, 0o700);
    if (!(await stat(home)).isDirectory()) throw new Error('it is not a folder');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw new ConfigurationError([
      `HELIX_HOME: the folder ${home} cannot be used (${reason}). Name one that this user may create and write.`,
    ]);
  }
}

/** Writes a file of the home so that readers see the old content or the new, never half; mode 0600. */
export async function writePrivately(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, path);
}

/** Text of a file, undefined where there is none. */
export async function readIfThere(...path: string[]): Promise<string | undefined> {
  try {
    return await readFile(join(...path), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
