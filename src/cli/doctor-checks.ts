import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { HelixConfig } from '../common/platform/config/helix-config.js';
import { parseKeyring } from '../common/platform/config/keyring-text.js';

/** What one check found; `mend` says what to do about it. */
export interface Verdict {
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly finding: string;
  readonly mend?: string;
  /** What is wrong is the workspace, not the environment. */
  readonly isInput?: boolean;
}

export const ok = (finding: string): Verdict => ({ state: 'ok', finding });
export const warning = (finding: string, mend: string): Verdict => ({ state: 'warning', finding, mend });
export const wrong = (finding: string, mend: string): Verdict => ({ state: 'wrong', finding, mend });

export function checkNode(version: string): Verdict {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 20);
  return isEnough ? ok(version) : wrong(`${version} is too old`, 'Install Node 20.20 or later.');
}

export async function checkHome({ home }: HelixConfig): Promise<Verdict> {
  const folder = await stat(home).catch(() => null);
  if (!folder) {
    const canMake = await access(await nearestFolder(home), constants.W_OK).then(
      () => true,
      () => false,
    );
    return canMake
      ? ok(`${home} (made on the first run)`)
      : wrong(`${home} is not there and cannot be made`, 'Set HELIX_HOME to a folder this user may write.');
  }
  if (!folder.isDirectory()) return wrong(`${home} is no folder`, 'Set HELIX_HOME to a folder.');
  const isWritable = await access(home, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return wrong(`${home} cannot be written`, `Give this user the folder: chown -R $(id -un) ${home}`);
  if ((folder.mode & 0o077) !== 0)
    return warning(`${home} can be read by others`, `Close it: chmod 700 ${home}`);
  return ok(home);
}

async function nearestFolder(path: string): Promise<string> {
  let folder = dirname(path);
  while (!(await stat(folder).catch(() => null)) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Looks at the text only; whether it opens the stored secrets is proved at every start. */
export async function checkKeyring(config: HelixConfig): Promise<Verdict> {
  if (config.keyring) return ok('HELIX_KEYRING');
  const file = config.keyringFile ?? join(config.home, 'keyring');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) {
    if (config.keyringFile)
      return wrong(`${file} is not there`, 'Put the keyring file back, or correct HELIX_KEYRING_FILE.');
    const hasDatabase = (await stat(join(config.home, 'bootstrap.json')).catch(() => null)) !== null;
    return hasDatabase
      ? wrong(`${file} is missing`, 'Put it back from your backup: without it stored secrets cannot be read.')
      : ok(`${file} (made on the first run)`);
  }
  const keys = parseKeyring(text);
  if (!keys) return wrong(`${file} is no keyring`, 'Put it back from your backup: it holds id:base64 pairs.');
  return ok(`${file} (${keys.length} key${keys.length === 1 ? '' : 's'}, "${keys[0]?.id}" active)`);
}

/** A free port, or one where Helix itself listens. */
export async function checkPort({ host, port }: HelixConfig): Promise<Verdict> {
  if (port === 0) return ok('any free port');
  const failure = await tryListen(host, port);
  if (failure === null) return ok(`${host}:${port} is free`);
  if (failure === 'EADDRINUSE') {
    const shown = host.includes(':') ? `[${host}]` : host;
    const isHelix = await fetch(`http://${shown}:${port}/health/live`, {
      signal: AbortSignal.timeout(2000),
    }).then(
      (answer) => answer.ok && answer.headers.has('x-request-id'),
      () => false,
    );
    if (isHelix) return ok(`${host}:${port}: Helix is running`);
    return wrong(
      `${host}:${port} is taken by another program`,
      'Stop that program, or set PORT to another port.',
    );
  }
  if (failure === 'EACCES') return wrong(`${port} needs privileges`, 'Set PORT to 1024 or above.');
  return wrong(`${host}:${port} cannot be opened (${failure})`, 'Set HOST to an address of this machine.');
}

function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

export async function checkRedis({ redisUrl }: HelixConfig): Promise<Verdict> {
  if (!redisUrl) return ok('not used (needed only with several nodes)');
  const { hostname, port } = new URL(redisUrl.reveal());
  const place = `${hostname}:${port || 6379}`;
  const failure = await tryConnect(hostname.replace(/^\[|\]$/g, ''), Number(port || 6379));
  return failure === null
    ? ok(`${place} answers`)
    : wrong(`${place} does not answer (${failure})`, 'Start Redis, or correct REDIS_URL.');
}

function tryConnect(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 3000 });
    const end = (result: string | null): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end('no answer'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
