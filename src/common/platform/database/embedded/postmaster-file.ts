import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isListed } from './process-identity.js';
import type { ListeningPlace } from './listening-place.js';

/** What a running server writes about itself into its data folder (PostgreSQL: miscadmin.h, LOCK_FILE_LINE_*). */
export interface PostmasterFile {
  readonly pid: number;
  /** undefined until the server has opened its sockets. */
  readonly place: ListeningPlace | undefined;
}

export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid = '', , , port = '', socketFolder = '', address = ''] = text.split('\n');
  if (!/^\d+$/.test(pid)) return undefined;
  const host = socketFolder.trim() || address.trim();
  return {
    pid: Number(pid),
    place: /^\d+$/.test(port) && host !== '' ? { host, port: Number(port) } : undefined,
  };
}

/**
 * The number in a stale file may belong to some other process after a restart of a container, or to a zombie that
 * nobody reaps, and PostgreSQL would refuse to start. The number is replaced by one that nobody has, and the rest kept: by the shared memory block named
 * there PostgreSQL still notices orphans of the old server.
 */
export async function disownPostmasterFile(data: string): Promise<void> {
  const path = join(data, 'postmaster.pid');
  const [, ...rest] = (await readFile(path, 'utf8')).split('\n');
  let free = 4_000_000;
  while (isListed(free)) free++;
  await writeFile(path, [String(free), ...rest].join('\n'));
}
