import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { runCommand } from '../../src/cli/program.js';
import { recordedTerminal } from '../../src/cli/testing/recorded-terminal.js';
import { LetterRetention } from '../../src/modules/dead-letters/letter-retention.js';
import { WorkflowEngine } from '../../src/modules/workflow-engine/index.js';
import { Client, eventually, type RestStory, startRest } from './support/client.js';

interface Letter {
  id: string;
  queue: string;
  workflowId: string | null;
  failedStep: string | null;
  state: string;
  attempts: number;
  error: { code: string; message: string } | null;
  replay: { status: string; error: { code: string } | null } | null;
  replayOf: string | null;
  body?: unknown;
  headers?: Record<string, unknown>;
  bodyNote: string | null;
}

interface Page {
  items: Letter[];
  nextCursor: string | null;
}

/** A warehouse that takes orders while it is open. */
class Warehouse {
  isOpen = false;
  readonly orders: string[] = [];
  #server: Server | null = null;

  async start(): Promise<number> {
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        if (this.isOpen) this.orders.push(text);
        response.writeHead(this.isOpen ? 200 : 503).end('{}');
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

const warehouse = new Warehouse();
let folder: string;
let story: RestStory;
let ann: Client;
let web: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-letters-'));
  const port = await warehouse.start();
  await writeFile(
    join(folder, 'w.yaml'),
    `
tools:
  - id: order
    description: Orders something.
    input: { number: { type: string, required: true } }
    steps:
      - target: direct://checked-order
workflows:
  - id: web
    from: http-server://127.0.0.1:0/orders
    steps:
      - target: seda://orders?wait=never
  - id: take-order
    from: seda://orders
    steps:
      - set-property: { name: priority, starlang: 'attributes.queryParams.priority default "none"' }
      - set-body: { starlang: '{ order: payload.number, priority: property("priority") }' }
      - id: store
        target: http://127.0.0.1:${port}/orders
  - id: checked-order
    from: direct://checked-order
    error-handler: { retries: 2, delay: 1ms, dead-letter: 'dead-letter://checked?max-body-bytes=100' }
    steps:
      - target: direct://warehouse
  - id: warehouse
    from: direct://warehouse
    error-handler: { retries: 1, delay: 1ms, dead-letter: 'dead-letter://checked?max-body-bytes=100' }
    steps:
      - id: call
        target: http://127.0.0.1:${port}/orders
  - id: tapping
    from: direct://tapping
    steps:
      - wire-tap: http://127.0.0.1:${port}/tap
  - id: parking
    from: direct://parking
    on-exception:
      - handled: true
        steps:
          - target: dead-letter://parked
          - set-body: { value: parked }
    steps:
      - set-body: { value: changed }
      - throw: nothing goes
`,
  );
  story = await startRest({
    module: AppModule,
    env: { HELIX_WORKFLOWS: folder, HELIX_ALLOW_PRIVATE_EGRESS: 'true', HELIX_CALL_WAIT_MS: '20000' },
  });
  ann = await story.owner();
  const engine = story.helix.app.nest.get(WorkflowEngine);
  web = engine.report.started.find(({ workflowId }) => workflowId === 'web')?.address ?? '';
});
afterAll(async () => {
  await story.close();
  await warehouse.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  warehouse.isOpen = false;
  warehouse.orders.length = 0;
  await story.helix.app.nest.get(DataSource).query('DELETE FROM dead_letter');
});

const letters = async (query = '', by = ann): Promise<Letter[]> =>
  (await by.get<Page>(`/v1/api/dead-letters${query}`)).body.items;
const post = <Body = Letter>(path: string, body?: unknown, by = ann) =>
  by.send<Body>('POST', `/v1/api/dead-letters${path}`, body);

async function orderOverTheWeb(body: unknown = { number: '4711' }): Promise<Letter> {
  const sent = await fetch(`${web}?priority=high`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer very-secret-token',
      'x-tenant': 'blue',
    },
    body: JSON.stringify(body),
  });
  expect(sent.ok).toBe(true);
  await eventually(async () => (await letters('?queue=take-order')).length).toBeGreaterThan(0);
  const [newest] = await letters('?queue=take-order');
  if (newest === undefined) throw new Error('no letter');
  return newest;
}

async function request(uri: string, body: unknown) {
  return story.helix.app.nest.get(WorkflowEngine).request(uri, { body });
}

async function fill(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await request('direct://parking', { n });
}

async function helix(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordedTerminal({ HELIX_API_KEY: ann.apiKey ?? '', HELIX_HOME: folder });
  const code = await runCommand(['dead-letters', ...words, '--url', ann.url], terminal);
  return { code, ...terminal.written };
}

/** Letters of which the audit log tells it, newest first. */
async function told(action: string): Promise<string[]> {
  const page = await ann.get<{ items: { target: string }[] }>(`/v1/api/audit-log?action=${action}`);
  return page.body.items.map(({ target }) => target);
}

describe('a message that nobody waits for', () => {
  it('is kept when its workflow fails, as it was received and without what is secret', async () => {
    const { id } = await orderOverTheWeb();
    const { body: letter } = await ann.get<Letter>(`/v1/api/dead-letters/${id}`);
    expect(letter).toMatchObject({
      queue: 'take-order',
      workflowId: 'take-order',
      failedStep: '/workflows/take-order/steps/store',
      state: 'open',
      attempts: 1,
      error: { code: 'HTTP.TARGET_FAILED' },
      body: { number: '4711' },
      headers: { 'x-tenant': 'blue', authorization: '[secret]' },
      replay: null,
      bodyNote: null,
    });
    expect(JSON.stringify(letter)).not.toContain('very-secret-token');
    const rows = await story.helix.app.nest.get(DataSource).query('SELECT * FROM dead_letter');
    expect(JSON.stringify(rows)).not.toContain('very-secret-token');
  });

  it('is done when it is sent again, with what the request had told, and only once', async () => {
    const { id } = await orderOverTheWeb();
    warehouse.isOpen = true;
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(`/${id}/replay`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(warehouse.orders).toEqual(['{"order":"4711","priority":"high"}']);
    const { body } = await ann.get<Letter>(`/v1/api/dead-letters/${id}`);
    expect(body).toMatchObject({ state: 'replayed', replay: { status: 'succeeded', error: null } });
    const again = await post(`/${id}/replay`);
    expect([again.status, Client.code(again)]).toEqual([409, 'not_open']);
    expect(await told('deadLetter.replay')).toEqual([id]);
  });

  it('is in an open letter again when the replay fails', async () => {
    const { id } = await orderOverTheWeb();
    const { body } = await post(`/${id}/replay`);
    expect(body).toMatchObject({
      state: 'replayed',
      replay: { status: 'failed', error: { code: 'HTTP.TARGET_FAILED' } },
    });
    const open = await letters('?state=open');
    expect(open).toMatchObject([{ replayOf: id, queue: 'take-order' }]);
    warehouse.isOpen = true;
    expect((await post(`/${open[0]?.id}/replay`)).body.replay?.status).toBe('succeeded');
    expect(warehouse.orders).toHaveLength(1);
  });

  it('is kept from a way of its own too, and then to be read only', async () => {
    await request('direct://tapping', 'hello');
    await eventually(async () => (await letters('?queue=tapping')).length).toBe(1);
    const [letter] = await letters('?queue=tapping');
    expect(letter).toMatchObject({ workflowId: null });
    const refused = await post(`/${letter?.id}/replay`);
    expect([refused.status, Client.code(refused)]).toEqual([409, 'not_replayable']);
    expect((await ann.get<Letter>(`/v1/api/dead-letters/${letter?.id}`)).body.body).toBe('hello');
  });
});

describe('error-handler: dead-letter', () => {
  it('makes one letter of a failure that passes several workflows, of what the outermost received', async () => {
    const made = await ann.call('order', { number: '1' });
    expect(made.body).toMatchObject({ status: 'failed' });
    expect(await letters()).toMatchObject([
      {
        queue: 'checked',
        workflowId: 'checked-order',
        failedStep: '/workflows/warehouse/steps/call',
        attempts: 3,
        state: 'open',
      },
    ]);
  });

  it('belongs to the workspace whose call failed; another one sees nothing of it', async () => {
    await ann.call('order', { number: '1' });
    const [letter] = await letters();
    const ben = await story.owner();
    expect(await letters('', ben)).toEqual([]);
    expect((await ben.get(`/v1/api/dead-letters/${letter?.id}`)).status).toBe(404);
    for (const verb of ['replay', 'discard'])
      expect((await post(`/${letter?.id}/${verb}`, undefined, ben)).status).toBe(404);
    expect((await post<object>('/discard', {}, ben)).body).toMatchObject({ matched: 0 });
    expect(await letters('?state=open')).toHaveLength(1);
  });

  it('tells of a body that was too large, and does not send half of it again', async () => {
    const exchange = await request('direct://checked-order', { text: 'ä'.repeat(100) });
    expect(exchange.failure?.code).toBe('HTTP.TARGET_FAILED');
    const [letter] = await letters();
    expect(letter).toMatchObject({ bodySize: 211, bodyNote: expect.stringContaining('100') as string });
    const { body } = await ann.get<Letter>(`/v1/api/dead-letters/${letter?.id}`);
    expect(body.body).toMatch(/^\{"text":"ä{45}$/);
    expect(Client.code(await post(`/${letter?.id}/replay`))).toBe('not_replayable');
  });

  it('keeps the first failure where the letter cannot be written', async () => {
    const database = story.helix.app.nest.get(DataSource);
    await database.query('ALTER TABLE dead_letter RENAME TO dead_letter_away');
    try {
      const exchange = await request('direct://checked-order', 'x');
      expect(exchange.failure?.code).toBe('HTTP.TARGET_FAILED');
      expect(story.helix.logged()).toContain('the dead letter could not be sent');
    } finally {
      await database.query('ALTER TABLE dead_letter_away RENAME TO dead_letter');
    }
  });

  it('a clause may put a message aside itself: the letter holds it as it was received', async () => {
    const exchange = await request('direct://parking', { n: 1 });
    expect([exchange.failure, exchange.body]).toEqual([null, 'parked']);
    const [letter] = await letters('?queue=parked&code=ENGINE.THROWN');
    const { body } = await ann.get<Letter>(`/v1/api/dead-letters/${letter?.id}`);
    expect(body).toMatchObject({ workflowId: 'parking', body: { n: 1 } });
  });
});

describe('many letters', () => {
  it('are listed in pages, each once, by filters that belong to the cursor', async () => {
    await fill(7);
    const seen: string[] = [];
    const cursors: string[] = [];
    let cursor = '';
    do {
      const { body } = await ann.get<Page>(`/v1/api/dead-letters?limit=3&queue=parked${cursor}`);
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
      cursors.push(cursor);
    } while (cursor !== '');
    expect((await ann.get(`/v1/api/dead-letters?limit=3&queue=other${cursors[0]}`)).status).toBe(400);
    expect(new Set(seen).size).toBe(7);
    expect(seen).toHaveLength(7);
    expect(await letters('?workflowId=parking')).toHaveLength(7);
    expect(await letters('?workflowId=tapping')).toEqual([]);
    expect((await ann.get('/v1/api/dead-letters?state=gone')).status).toBe(400);
  });

  it('are ended in one request, at most so many, by an owner or admin', async () => {
    await fill(5);
    const max = await story.member(ann, 'member');
    expect(await letters('', max)).toHaveLength(5);
    expect((await post('/discard', {}, max)).status).toBe(403);
    expect((await post<object>('/discard', { queue: 'parked', limit: 2 })).body).toEqual({
      matched: 2,
      succeeded: 2,
      failed: 0,
      skipped: 0,
    });
    expect((await post('/discard', { limit: 101 })).status).toBe(400);
    const replayed = await post<object>('/replay', { workflowId: 'parking' });
    expect(replayed.body).toEqual({ matched: 3, succeeded: 3, failed: 0, skipped: 0 });
    const discarded = await letters('?state=discarded');
    expect(discarded).toHaveLength(2);
    const targets = await told('deadLetter.discard');
    for (const { id } of discarded) expect(targets.filter((target) => target === id)).toHaveLength(1);
  });

  it('go when their time is over', async () => {
    await fill(2);
    const database = story.helix.app.nest.get(DataSource);
    const [first] = await letters();
    await database.query(`UPDATE dead_letter SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      first?.id,
    ]);
    await story.helix.app.nest.get(LetterRetention).sweep();
    expect(await letters()).toHaveLength(1);
  });

  it('are read and ended from the command line', async () => {
    await fill(2);
    const listed = await helix('list', '--queue', 'parked');
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.out).toContain('ENGINE.THROWN');
    const [first] = await letters();
    const shown = await helix('show', first?.id ?? '');
    expect(shown.out).toContain('"n": 1');
    expect(await helix('replay', first?.id ?? '')).toMatchObject({ code: 0 });
    expect((await helix('replay', first?.id ?? '')).code).toBe(1);
    // The workflow has put it aside again.
    expect((await helix('discard', '--queue', 'parked')).out).toBe('2 of 2 discarded.\n');
    expect(await letters('?state=open')).toEqual([]);
    expect((await helix('discard')).code).toBe(1);
  });
});
