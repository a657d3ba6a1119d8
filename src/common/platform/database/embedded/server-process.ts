import { spawn, execFile } from 'node:child_process';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HelixError } from '../../../engine/errors/helix-error.js';
import { writePrivately } from '../../config/home.js';
import type { Binaries } from './binaries.js';
import type { ListeningPlace } from './listening-place.js';
import { isAlive } from './process-identity.js';
import type { RunAs } from './run-as.js';

const run = promisify(execFile);

export interface ServerFolder {
  /** HELIX_HOME/postgres */
  readonly data: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  /** false only for tests: survives no crash of the machine, but starts and stops faster. */
  readonly isDurable: boolean;
}

export const superuser = 'helix';
const biggestLog = 10_000_000;

/**
 * Makes the data folder. It is made beside its place and moved there when it is whole, so that a start cut off in
 * the middle leaves nothing that looks like a database. Text sorts by code point, with Unicode's rules for case, the
 * same on every machine: PostgreSQL's own provider needs no library and no locale of the system.
 */
export async function makeDataFolder({
  data,
  password,
  binaries,
  runAs,
  isDurable,
}: ServerFolder): Promise<void> {
  const draft = `${data}.new`;
  const passwordFile = `${data}.password`;
  await rm(draft, { recursive: true, force: true });
  await writePrivately(passwordFile, password);
  try {
    await runAs.handOver(passwordFile);
    const args = [
      `--pgdata=${draft}`,
      `--username=${superuser}`,
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      ...(isDurable ? [] : ['--no-sync']),
    ];
    await prepareParent(draft, runAs);
    const { file, args: all, options } = runAs.command(binaries.initdb, args);
    await run(file, all, { uid: options.uid, gid: options.gid, env: environment() });
    await rename(draft, data);
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim() ?? String(cause);
    throw new HelixError('PLATFORM.WRONG_CONFIGURATION', `The embedded database could not be made: ${said}`, {
      cause,
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** initdb makes its folder itself unless it may not write beside it: then it finds an empty one of its own. */
async function prepareParent(draft: string, runAs: RunAs): Promise<void> {
  await mkdir(draft, { mode: 0o700 });
  await runAs.handOver(draft);
}

/**
 * Starts the server and returns its process number at once; it is not ready yet. It leads a process group of its own
 * (Ctrl-C in the terminal must reach Helix alone, which then stops it in order) and writes its log to a file, so that
 * it can outlive a Helix that was killed.
 */
export async function startServer(folder: ServerFolder, place: ListeningPlace): Promise<number> {
  const { data, binaries, runAs, isDurable } = folder;
  const log = logOf(data);
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size > biggestLog) await rename(log, `${log}.1`);
  const output = await open(log, 'a', 0o600);
  try {
    const args = [
      '-D',
      data,
      ...Object.entries(settings(place, isDurable)).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
    ];
    const { file, args: all, options } = runAs.command(binaries.postgres, args);
    const child = spawn(file, all, {
      ...options,
      env: environment(),
      cwd: dirname(data),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    const pid = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => resolve(Number(child.pid)));
    });
    child.unref();
    return pid;
  } finally {
    await output.close();
  }
}

function settings(place: ListeningPlace, isDurable: boolean): Record<string, string> {
  const isAddress = place.host === '127.0.0.1';
  return {
    listen_addresses: isAddress ? place.host : '',
    unix_socket_directories: isAddress ? '' : place.host,
    unix_socket_permissions: '0700',
    port: String(place.port),
    cluster_name: 'helix',
    max_connections: '100',
    shared_buffers: '64MB',
    fsync: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    synchronous_commit: isDurable ? 'on' : 'off',
    // Statements and parameters hold what users sent: they belong in no log.
    log_statement: 'none',
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: '0',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    logging_collector: 'off',
  };
}

/** The server needs the path to programs and libraries, a time zone, and none of our secrets. */
function environment(): NodeJS.ProcessEnv {
  const system = process.platform === 'win32' ? { SystemRoot: 'C:\\Windows' } : {};
  return {
    ...system,
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    TZ: 'UTC',
    LC_ALL: 'C',
  };
}

export function logOf(data: string): string {
  return `${data}.log`;
}

/** The last lines of the server's log, for the message of a start that failed. */
export async function lastWords(data: string): Promise<string> {
  const text = await readFile(logOf(data), 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-5).join('\n');
}

/**
 * Stops the server in order: open transactions roll back, everything is on disk ("fast"). A server that does not
 * end within the time is stopped at once ("immediate"): nothing committed is lost, the next start replays its log.
 */
export async function stopServer(
  pid: number,
  data: string,
  binaries: Binaries,
  patienceMs = 20_000,
): Promise<void> {
  if (!isAlive(pid)) return;
  if (process.platform === 'win32') {
    // Windows knows no signals; pg_ctl speaks to the server by a pipe.
    const control = join(dirname(binaries.postgres), 'pg_ctl.exe');
    await run(control, ['stop', '-D', data, '-m', 'fast', '-w']).catch(() => undefined);
    return;
  }
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await hasEnded(pid, patienceMs)) return;
  }
}

/** Node reaps its own children, so a number that no longer answers has really ended. */
async function hasEnded(pid: number, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await wait(10);
  }
  return true;
}
