import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { type Client, eventually, type RestStory, startRest } from '../rest/support/client.js';
import { FakeTreg } from '../treg/fake-treg.js';
import { tool, ToolPeer } from './support/tool-peer.js';

interface Search {
  readonly items: readonly { readonly id: string }[];
  readonly total: number | null;
  readonly sources: readonly { readonly provider: string; readonly status: string }[];
}

const treg = new FakeTreg();
const kb = new ToolPeer();
let isApiUp = true;
let api: Server;
let folder: string;
let story: RestStory;
let ann: Client;

const document = {
  openapi: '3.1.0',
  info: { title: 'Letters', version: '1' },
  paths: { '/letters': { get: { operationId: 'readLetters', summary: 'Reads a letter', responses: {} } } },
};

async function start(): Promise<void> {
  story = await startRest({
    module: AppModule,
    env: {
      HELIX_WORKFLOWS: folder,
      HELIX_TREG_URL: treg.url,
      HELIX_ALLOW_PRIVATE_EGRESS: '127.0.0.1',
      HELIX_CALL_WAIT_MS: '15000',
    },
  });
  ann = await story.owner();
  const connection = { apiKey: treg.token, organizationId: treg.organization };
  expect((await ann.send('PUT', '/v1/api/tools/connections/treg', connection)).status).toBe(200);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-sources-'));
  await treg.start();
  treg.tool('mail.letter.send', {
    endpoint: { name: 'Send a letter', method: 'POST', input: { body: { text: { type: 'string' } } } },
  });
  await kb.start();
  kb.tools = [
    tool('find-letter', { description: 'Finds a letter.' }),
    tool('other', { description: 'None.' }),
  ];
  api = createServer((_, response) => {
    response.writeHead(isApiUp ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  await writeFile(
    join(folder, 'desk.yaml'),
    `catalogue:
  letters: { openapi: 'http://127.0.0.1:${(api.address() as AddressInfo).port}/openapi.json' }
  kb: { mcp: '${kb.url}' }
tools:
  - id: write-letter
    description: Writes a letter.
    steps: [{ set-body: { value: Dear }}]
`,
  );
});
afterAll(async () => {
  await treg.stop();
  await kb.stop();
  api.closeAllConnections();
  await new Promise((done) => api.close(done));
  await rm(folder, { recursive: true });
});

const all = ['mcp:kb:find-letter', 'openapi:letters:readLetters', 'treg:mail.letter.send', 'write-letter'];
const search = async (limit = 100): Promise<Search> =>
  (await ann.get<Search>(`/v1/api/tools?query=letter&limit=${limit}`)).body;
const statuses = ({ sources }: Search) =>
  Object.fromEntries(sources.map(({ provider, status }) => [provider, status]));
const idsOf = ({ items }: Search) => items.map(({ id }) => id).sort();

/** What was read once stays known; only Treg, which keeps its list to itself, is missed. */
async function goesAway(): Promise<void> {
  await kb.stop();
  isApiUp = false;
  expect(idsOf(await search())).toEqual(all);
  treg.search = 'down';
  const found = await search();
  expect([idsOf(found), found.total]).toEqual([all.filter((id) => !id.startsWith('treg')), null]);
  expect(statuses(found)).toMatchObject({ helix: 'ok', treg: 'unavailable', 'mcp:kb': 'ok' });
  treg.search = 'ok';
  isApiUp = true;
  await kb.start();
}

describe('a search over all kinds of sources', () => {
  it('finds the tools of all, counts them, and gives each source its place where few are wanted', async () => {
    await start();
    try {
      // A busy machine may need longer for the first look than a search waits.
      await eventually(async () => (await search()).total).toBe(4);
      expect(idsOf(await search())).toEqual(all);
      const few = await search(2);
      expect([few.items.map(({ id }) => id), few.total]).toEqual([
        ['write-letter', 'treg:mail.letter.send'],
        4,
      ]);
      for (const id of all)
        expect((await ann.call(id, id.startsWith('treg') ? { body: {} } : {})).status).toBe(201);
      type Page = { items: { toolId: string }[]; nextCursor: string | null };
      const called: string[] = [];
      for (let cursor = ''; ;) {
        const page: Page = (await ann.get<Page>(`/v1/api/tool-calls?limit=1${cursor}`)).body;
        called.push(...page.items.map(({ toolId }) => toolId));
        if (page.nextCursor === null) break;
        cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
      }
      expect(called).toEqual(all.toReversed());
      await goesAway();
    } finally {
      await story.close();
    }
  });

  it.each([
    ['treg', 'treg:mail.letter.send', () => void (treg.search = 'down'), () => void (treg.search = 'ok')],
    [
      'openapi:letters',
      'openapi:letters:readLetters',
      () => void (isApiUp = false),
      () => void (isApiUp = true),
    ],
    ['mcp:kb', 'mcp:kb:find-letter', () => kb.stop(), () => kb.start()],
  ])('answers without %s where that was never reached', async (provider, id, stop, again) => {
    await stop();
    await start();
    try {
      const others = ['helix', 'treg', 'openapi:letters', 'mcp:kb'].map((one) => [one, 'ok']);
      const expected = { ...Object.fromEntries(others), [provider]: 'unavailable' };
      await eventually(async () => statuses(await search())).toEqual(expected);
      const found = await search();
      expect([idsOf(found), found.total]).toEqual([all.filter((one) => one !== id), null]);
      await again();
      if (provider !== 'openapi:letters') await eventually(async () => (await search()).total).toBe(4);
    } finally {
      await again();
      await story.close();
    }
  });
});
