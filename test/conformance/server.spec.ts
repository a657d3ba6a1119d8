import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleForNode } from '../support/bundle.js';
import { freePort } from '../support/free-port.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';
import { HelixProgram, type Running } from '../cli/helix-process.js';
import { installReferee, judgeServer, type Verdict } from './referee.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 400_000 });

/** How many scenarios the suite has for a server, those it does not score included. */
const eras = [
  { revision: '2025-11-25', scenarios: 33 },
  { revision: '2026-07-28', scenarios: 50 },
] as const;

let folder: string;
let database: TestDatabase | undefined;
let server: Running | undefined;
/** Why the suite is not here, if it is not. */
let absence: string | null = null;
let verdicts: ReadonlyMap<string, readonly Verdict[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-conformance-'));
  let referee: string;
  try {
    referee = await installReferee();
  } catch (thrown) {
    absence = `The conformance suite cannot be installed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    return;
  }
  database = await makeTestDatabase();
  const port = await freePort();
  const helix = new HelixProgram(
    await bundleForNode('src/cli.ts'),
    {
      HELIX_HOME: join(folder, 'home'),
      DATABASE_URL: database.url,
      HELIX_KEYRING: database.keyring,
      PORT: '0',
      MCP_PORT: String(port),
    },
    folder,
  );
  server = helix.start(['run', join(import.meta.dirname, 'workspace.yaml')]);
  await server.until('Ctrl-C');
  const judged = eras.map(async ({ revision }) => {
    const output = join(folder, revision);
    return [revision, await judgeServer(referee, `http://localhost:${port}/mcp`, revision, output)] as const;
  });
  verdicts = new Map(await Promise.all(judged));
});

afterAll(async () => {
  await server?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

describe.each(eras)('the official suite for servers of MCP $revision', ({ revision, scenarios }) => {
  it(`is passed in all ${scenarios} scenarios`, (context) => {
    if (absence !== null) return context.skip(absence);
    const found = verdicts.get(revision) ?? [];
    expect(found.filter(({ faults }) => faults.length > 0)).toEqual([]);
    expect(found).toHaveLength(scenarios);
  });
});
