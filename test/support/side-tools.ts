import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Tools that judge the product from outside, with a package.json and lock of their own: installed once for each state
 * of the lock, beside the caches of other tools.
 * @param home folder that holds the package.json and the lock
 * @returns the folder whose node_modules has them
 * @throws Error where they cannot be installed (no network)
 */
export async function installSideTools(home: string): Promise<string> {
  const lock = await readFile(join(home, 'package-lock.json'));
  const name = `${basename(home)}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`;
  const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, `${name}-`));
  try {
    await cp(home, fresh, { recursive: true });
    await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: fresh, timeout: 240_000 });
    await rename(fresh, folder);
  } catch (thrown) {
    await rm(fresh, { recursive: true, force: true });
    // Another test file was quicker with the same tools.
    if (!existsSync(folder)) throw thrown;
  }
  return folder;
}
