import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunAs } from './run-as.js';

/** Where the server listens: a folder that holds its socket, or a port on 127.0.0.1. */
export interface ListeningPlace {
  /** As `pg` takes it: a folder or an address. */
  readonly host: string;
  readonly port: number;
}

/** sockaddr_un takes 108 bytes with the final NUL on Linux, 104 on the BSDs and macOS. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103;
const socketPort = 5432;

/**
 * The data folder itself where the path is short enough for a socket, else a fresh private folder among the
 * temporary files, else (Windows, or temporary files deep down as well) a free port on the loopback address.
 */
export async function choosePlace(data: string, runAs: RunAs): Promise<ListeningPlace> {
  if (process.platform !== 'win32') {
    if (isShortEnough(data)) return { host: data, port: socketPort };
    if (isShortEnough(join(tmpdir(), 'helix-XXXXXX'))) {
      const folder = await mkdtemp(join(tmpdir(), 'helix-'));
      await runAs.handOver(folder);
      return { host: folder, port: socketPort };
    }
  }
  return { host: '127.0.0.1', port: await freePort() };
}

function isShortEnough(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= longestSocketPath;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
