import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../../config/configuration-error.js';
import { isAlive, startMarkOf } from './process-identity.js';

interface Holder {
  readonly pid: number;
  readonly startMark: string;
  readonly host: string;
  readonly token: string;
}

/** `HELIX_HOME/helix.lock`: who uses the home. The lock in the database stands behind it (owner-lock.ts). */
export interface HomeLock {
  release(): Promise<void>;
}

/** The process that holds the home now, undefined where none does. */
export async function holderOf(home: string): Promise<number | undefined> {
  const holder = await read(join(home, 'helix.lock'));
  return holder !== undefined && isPresent(holder) ? holder.pid : undefined;
}

/** @throws ConfigurationError where a living Helix holds the home */
export async function lockHome(home: string): Promise<HomeLock> {
  const path = join(home, 'helix.lock');
  const token = randomBytes(12).toString('hex');
  const mine: Holder = { pid: process.pid, startMark: startMarkOf(process.pid), host: hostname(), token };
  const draft = `${path}.${token}`;
  await writeFile(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; ; attempt++) {
      // A link is made whole or not at all, so a half-written lock is never seen.
      if (await isDone(link(draft, path))) break;
      const holder = await read(path);
      if ((holder !== undefined && isPresent(holder)) || attempt >= 20) throw refusal(home, holder?.pid);
      await setAside(path, `${draft}.old`, holder);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async release() {
      if ((await read(path))?.token === token) await rm(path, { force: true });
    },
  };
}

export function refusal(home: string, pid: number | undefined): ConfigurationError {
  const who = pid === undefined ? 'Another Helix' : `Another Helix (process ${pid})`;
  return new ConfigurationError([
    `${who} uses the home ${home}. Stop it first, or give this one its own HELIX_HOME; several nodes over one ` +
      'database need DATABASE_URL.',
  ]);
}

/** Takes a stale lock away; if another starter replaced it in between, what was taken is put back. */
async function setAside(path: string, aside: string, stale: Holder | undefined): Promise<void> {
  if (!(await isDone(rename(path, aside)))) return;
  const taken = await read(aside);
  if (taken !== undefined && taken.token !== stale?.token) await isDone(link(aside, path));
  await rm(aside, { force: true });
}

function isPresent(holder: Holder): boolean {
  if (!isAlive(holder.pid)) return false;
  return holder.startMark === '' || startMarkOf(holder.pid) === holder.startMark;
}

async function read(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

async function isDone(attempt: Promise<void>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}
