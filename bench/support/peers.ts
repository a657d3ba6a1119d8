import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Packages that the benchmarks measure against, with a lock of their own: the product's stays small. */
const folder = join(process.cwd(), 'bench', 'peers');

/** A package of `bench/peers`, which is installed by its lock where it is not yet. */
export async function peer<T>(name: string): Promise<T> {
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) {
    process.stderr.write('Installing the packages to measure against (bench/peers) …\n');
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) throw new Error('bench/peers could not be installed.');
  }
  return createRequire(join(folder, 'package.json'))(name) as T;
}
