import { execFile, type SpawnOptions } from 'node:child_process';
import { chmod, chown, lchown, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigurationError } from '../../config/configuration-error.js';
import type { Binaries } from './binaries.js';

const run = promisify(execFile);

/** How the server's programs are started so that they do not run as root, which PostgreSQL refuses. */
export interface RunAs {
  /** Told in the log: whose rights the server has. */
  readonly who: string;
  command(program: string, args: readonly string[]): { file: string; args: string[]; options: SpawnOptions };
  /** Gives a file or folder, with all in it, to the server's user. */
  handOver(path: string): Promise<void>;
}

const asIs: RunAs = {
  who: 'the user of this process',
  command: (program, args) => ({ file: program, args: [...args], options: {} }),
  handOver: () => Promise.resolve(),
};

/** The overflow user of Linux, which every passwd names `nobody`. */
const nobody = '65534';

/**
 * In a user namespace of its own the server sees itself as `nobody`, while outside its files stay root's: a clone
 * and a home that only root may enter work as they are. util-linux 2.34 or later; often forbidden in containers.
 */
const inNamespace: RunAs = {
  who: 'nobody, in a user namespace',
  command: (program, args) => ({
    file: 'unshare',
    args: ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--', program, ...args],
    options: {},
  }),
  handOver: () => Promise.resolve(),
};

/**
 * Chooses the way: as is for an ordinary user; for root a user namespace, else a dedicated user.
 * @throws ConfigurationError where no way leads, saying what to do
 */
export async function chooseRunAs(home: string, data: string, binaries: Binaries): Promise<RunAs> {
  if (process.getuid?.() !== 0) return asIs;
  const owner = await stat(data).then(
    ({ uid }) => uid,
    () => 0,
  );
  if (owner === 0 && process.platform === 'linux' && (await reaches(inNamespace, home, binaries)))
    return inNamespace;
  return asUser(home, data, binaries, owner);
}

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

async function asUser(home: string, data: string, binaries: Binaries, owner: number): Promise<RunAs> {
  const account = await findAccount(owner);
  if (account === undefined)
    throw cannot('neither a user namespace nor a user to switch to is available here');
  const { uid, gid, name } = account;
  const way: RunAs = {
    who: `the user ${name}`,
    command: (program, args) => ({ file: program, args: [...args], options: { uid, gid } }),
    handOver: (path) => giveTo(path, uid, gid),
  };
  // The user must get through the home to its folder; it may still not list it, and the files in it are 0600.
  const { mode } = await stat(home);
  await chmod(home, (mode & 0o777) | 0o011);
  if (!(await reaches(way, undefined, binaries)) || !(await passes(way, home)))
    throw cannot(`the user ${name} cannot reach ${home} or the binaries of the package`);
  if (owner !== uid) await giveTo(data, uid, gid).catch(() => undefined);
  return way;
}

function cannot(reason: string): ConfigurationError {
  return new ConfigurationError([
    `PostgreSQL does not run as root, and ${reason}. Run Helix as another user, put HELIX_HOME and the checkout ` +
      'where every user may enter (such as /opt and /var/lib), or set DATABASE_URL to a PostgreSQL 14 or later.',
  ]);
}

/** Whether the program starts in this way and, where a folder is named, may write into it. */
async function reaches(
  way: RunAs,
  folder: string | undefined,
  { postgres, initdb }: Binaries,
): Promise<boolean> {
  const tests = 'test -x "$1" && test -x "$2" && { test -z "$3" || test -w "$3"; } && exec "$1" --version';
  return succeeds(way, tests, [postgres, initdb, folder ?? '']);
}

async function passes(way: RunAs, folder: string): Promise<boolean> {
  return succeeds(way, 'test -x "$1"', [folder]);
}

async function succeeds(way: RunAs, script: string, args: readonly string[]): Promise<boolean> {
  const { file, args: all, options } = way.command('/bin/sh', ['-c', script, 'sh', ...args]);
  return run(file, all, { timeout: 10_000, uid: options.uid, gid: options.gid }).then(
    () => true,
    () => false,
  );
}

/** The owner of the data, `postgres` or `helix` where they exist, else a new system user `helix`. */
async function findAccount(owner: number): Promise<Account | undefined> {
  const wanted = (all: readonly Account[]) =>
    owner > 0
      ? (all.find(({ uid }) => uid === owner) ?? { name: `number ${owner}`, uid: owner, gid: owner })
      : (all.find(({ name }) => name === 'postgres') ?? all.find(({ name }) => name === 'helix'));
  const found = wanted(await accounts());
  if (found !== undefined) return found;
  const makers: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'helix']],
    ['adduser', ['--system', '--group', '--no-create-home', 'helix']],
  ];
  for (const [program, args] of makers) {
    const isMade = await run(program, args).then(
      () => true,
      () => false,
    );
    if (isMade) return wanted(await accounts());
  }
  return undefined;
}

async function accounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

async function giveTo(path: string, uid: number, gid: number): Promise<void> {
  if ((await stat(path)).isDirectory()) {
    await chown(path, uid, gid);
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) await giveTo(inner, uid, gid);
      else await lchown(inner, uid, gid);
    }
  } else {
    await chown(path, uid, gid);
  }
}
