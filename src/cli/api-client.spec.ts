import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from './api-client.js';
import { recordedTerminal } from './testing/recorded-terminal.js';

let home: string;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'helix-cli-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await rm(home, { recursive: true });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answer = (status: number, text: string): Promise<string> =>
  serve((_, response) => {
    response.writeHead(status);
    response.end(text);
  });

const open = (environment: Record<string, string> = {}, url?: string): Promise<ApiClient> =>
  ApiClient.open(recordedTerminal({ HELIX_HOME: home, ...environment }), url === undefined ? {} : { url });

const failure = async (status: number, text: string): Promise<unknown> =>
  (await open({ HELIX_API_KEY: 'k' }, await answer(status, text))).get('/x').catch((error: unknown) => error);

describe('ApiClient', () => {
  it('finds address, key and workspace of the first run', async () => {
    let seen: IncomingHttpHeaders = {};
    const apiUrl = await serve((request, response) => {
      seen = request.headers;
      response.end('{"items":[]}');
    });
    await writeFile(
      join(home, 'bootstrap.json'),
      JSON.stringify({ apiUrl, organizationId: 'org_1', apiKey: 'k1' }),
    );
    expect(await (await open()).get('/x')).toEqual({ items: [] });
    expect(seen).toMatchObject({ 'x-api-key': 'k1', 'x-organization-id': 'org_1' });
    await (await open({ HELIX_API_KEY: 'mine' })).get('/x');
    expect(seen['x-api-key']).toBe('mine');
    expect(seen['x-organization-id']).toBeUndefined();
  });

  it('says how to get a key where there is none', async () => {
    await expect(open()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('helix run') as string,
    });
  });

  it('says that nothing runs', async () => {
    const url = await serve(() => {});
    for (const close of closers.splice(0)) await close();
    const api = await open({ HELIX_API_KEY: 'k' }, url);
    await expect(api.get('/x')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('start Helix with "helix run"') as string,
    });
  });

  it('tells another program from Helix, and a refused key from a wrong request', async () => {
    expect(await failure(200, '<html>')).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('not as Helix') as string,
    });
    expect(await failure(401, '{"error":"No."}')).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('HELIX_API_KEY') as string,
    });
    expect(
      await failure(
        400,
        '{"error":"Wrong.","fields":[{"path":"/input/a","code":"required","message":"Is missing."}]}',
      ),
    ).toMatchObject({ exitCode: 1, message: 'Wrong.\n  /input/a: Is missing. (HTTP 400)' });
  });

  it('says each field once, also where the sentence quotes them with more words', async () => {
    const fields = [
      { path: '/w.yaml:3:5', message: 'There is no step "x".' },
      { path: '/w.yaml:9:1', message: 'No workflow listens.' },
    ];
    const error = 'The workspace was not reloaded.\n/w.yaml:3:5 unknown-step: There is no step "x".';
    const { message } = (await failure(409, JSON.stringify({ error, fields }))) as Error;
    expect(message).toBe(`${error}\n  /w.yaml:9:1: No workflow listens. (HTTP 409)`);
  });
});
