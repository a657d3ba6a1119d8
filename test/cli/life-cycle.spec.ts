import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleForNode } from '../support/bundle.js';
import { freePort } from '../support/free-port.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';
import { HelixProgram, type Running } from './helix-process.js';

// Each of these starts a whole Helix in a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let folder: string;
let database: TestDatabase;
let helix: HelixProgram;
let port: number;
let upstream: Server;
/** Emits `held` with the answer that a request of the workflow "gate" waits for. */
const gate = new EventEmitter();

const written = (word: string, more = ''): string => `
workflows:
  - id: front
    from: http-server://127.0.0.1:${port}/front?method=GET
    steps:
      - set-body: ${word}
  - id: gate
    from: http-server://127.0.0.1:${port}/gate?method=GET
    steps:
      - target: http://127.0.0.1:${(upstream.address() as AddressInfo).port}/held
      - set-body: through ${word}
${more}`;
const broken = '  - id: bad\n    from: direct://bad\n    steps:\n      - set-boddy: 1\n';

const tested = (greeting: string): string => `
workflows:
  - id: greeter
    from: direct://greeter
    steps:
      - set-body: ${greeting}
tests:
  - name: greets
    workflow: greeter
    expect:
      body: hello
`;

const write = (yaml: string): Promise<void> => writeFile(join(folder, 'w.yaml'), yaml);
const ask = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}/${path}`)).text();

/** A request that is on its way inside the workflow, and the answer that it waits for. */
async function holdRequest(): Promise<{ readonly answer: Promise<string>; readonly letGo: () => void }> {
  const arrived = once(gate, 'held') as Promise<[ServerResponse]>;
  const answer = ask('gate');
  const [held] = await Promise.race([arrived, answer.then((text) => Promise.reject(new Error(text)))]);
  return { answer, letGo: () => void held.end('{}') };
}

let server: Running;
async function start(...more: string[]): Promise<void> {
  await write(written('one'));
  server = helix.start(['run', 'w.yaml', ...more]);
  await server.until('Ctrl-C');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-life-'));
  database = await makeTestDatabase();
  upstream = createServer((_, response) => void gate.emit('held', response)).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const environment = {
    HELIX_HOME: join(folder, 'home'),
    DATABASE_URL: database.url,
    HELIX_KEYRING: database.keyring,
    HELIX_ALLOW_PRIVATE_EGRESS: 'true',
    LOG_FORMAT: 'json',
    PORT: '0',
  };
  helix = new HelixProgram(await bundleForNode('src/cli.ts'), environment, folder);
  port = await freePort();
});
afterEach(() => server.kill());
afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('helix test --watch', () => {
  it('tests again after each change, as helix run follows it, until it is told to end', async () => {
    await write(tested('goodbye'));
    server = helix.start(['test', 'w.yaml', '--watch']);
    await server.until('1 failed');
    await server.untilLogged('Waiting for a change');
    await write(tested('hello'));
    await server.until('1 passed');
    expect((await server.stop()).code).toBe(0);
  });
});

describe('a running Helix', () => {
  it('loads the workspace again at SIGHUP, and a request on its way finishes on what it began on', async () => {
    await start();
    const { answer, letGo } = await holdRequest();
    await write(written('two'));
    server.signal('SIGHUP');
    await server.untilLogged('workspace reloaded: version 2');
    expect(await ask('front')).toBe('two');
    letGo();
    expect(await answer).toBe('through one');
    await write(written('three', broken));
    server.signal('SIGHUP');
    expect(await server.untilLogged('version 2 goes on')).toMatch(/w\.yaml:\d+:\d+ unknown-step/);
    expect(await ask('front')).toBe('two');
    expect((await server.stop()).code).toBe(0);
  });

  it('follows its files with --watch, and goes on where one is broken', async () => {
    await start('--watch');
    await write(written('two'));
    await server.untilLogged('workspace reloaded: version 2');
    expect(await ask('front')).toBe('two');
    await write(written('three', broken));
    const line = written('three').split('\n').length + 3;
    expect(await server.untilLogged('version 2 goes on')).toContain(`w.yaml:${line}:9 unknown-step`);
    expect(await ask('front')).toBe('two');
    await write(written('three'));
    await server.untilLogged('workspace reloaded: version 3');
    expect(await ask('front')).toBe('three');
    expect((await server.stop()).code).toBe(0);
  });

  it('drains at SIGTERM: answers what it has, tells of it, takes nothing new, exits 0', async () => {
    await start();
    const { answer, letGo } = await holdRequest();
    server.signal('SIGTERM');
    await server.untilLogged('waiting for 1 exchange');
    await expect(ask('front')).rejects.toThrow('fetch failed');
    letGo();
    expect(await answer).toBe('through one');
    expect((await server.ended).code).toBe(0);
  });

  it('exits at once at a second signal, with the code that shells give it', async () => {
    await start();
    const { answer } = await holdRequest();
    server.signal('SIGTERM');
    await server.untilLogged('waiting for 1 exchange');
    server.signal('SIGTERM');
    await expect(answer).rejects.toThrow('fetch failed');
    expect((await server.ended).code).toBe(143);
  });
});
