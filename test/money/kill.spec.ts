import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HelixProgram, type Running } from '../cli/helix-process.js';
import { Client, eventually } from '../rest/support/client.js';
import { bundleForNode } from '../support/bundle.js';
import { freePort } from '../support/free-port.js';
import { secretWatch } from '../support/secret-guard.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';
import { FakeTreg } from '../treg/fake-treg.js';
import { type Call, checkBooks, type Wallet } from './support/money-story.js';
import { type Statement, StoppingPoints } from './support/stopping-points.js';

// Each case starts a whole Helix in a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

interface Receipt {
  readonly call: Call;
  readonly reservation: { readonly state: string } | null;
  readonly entries: readonly { readonly kind: string; readonly amountMicros: number }[];
}

/** Where the process is killed: in a statement, which is lost or committed, or while the tools are at work. */
type Point = readonly [statement: Statement, fate: 'lost' | 'committed'] | 'at the tool';

/** Paid by the wallet through the operator’s account at Treg. */
const paid = 'treg:paid';
const treg = new FakeTreg();
/** Runs of the native tools, by name, that arrived at the shop. */
const sales: string[] = [];
/** Answers of tools that the story keeps back; undefined: they are sent at once. */
let kept: (() => void)[] | undefined;
let shop: Server;
let folder: string;
let database: TestDatabase;
let points: StoppingPoints;
let program: HelixProgram;
let ann: Client;
let helix: Running | undefined;

function answer(send: () => void): void {
  if (kept === undefined) send();
  else kept.push(send);
}

async function start(): Promise<void> {
  helix = program.start(['run', 'shop.yaml']);
  await helix.until('Ctrl-C');
}

beforeAll(async () => {
  await treg.start();
  treg.tool('paid', {
    reply: ({ tool }, response) => answer(() => response.end(JSON.stringify(tool))),
  });
  shop = createServer(({ url = '' }, response) => {
    sales.push(url.slice(1));
    answer(() => response.end('sold'));
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const tool = (id: string, redispatch: string) => `
  - id: ${id}
    description: Asks the shop, for half a thousandth.
    redispatch: ${redispatch}
    pricing: { model: per_call, micros: 500 }
    steps:
      - target: http://127.0.0.1:${(shop.address() as AddressInfo).port}/${id}`;
  folder = await mkdtemp(join(tmpdir(), 'helix-kill-money-'));
  await writeFile(join(folder, 'shop.yaml'), `tools:${tool('buy', 'never')}${tool('look', 'safe')}\n`);
  database = await makeTestDatabase();
  const port = await freePort();
  program = new HelixProgram(
    await bundleForNode('src/cli.ts'),
    {
      HELIX_HOME: join(folder, 'home'),
      DATABASE_URL: database.url,
      HELIX_KEYRING: database.keyring,
      HELIX_ALLOW_PRIVATE_EGRESS: '127.0.0.1',
      HELIX_TREG_URL: treg.url,
      HELIX_TREG_TOKEN: treg.token,
      HELIX_TREG_ORGANIZATION: treg.organization,
      HELIX_WALLET_ADMIN: 'owner',
      LOG_FORMAT: 'json',
      PORT: String(port),
    },
    folder,
  );
  await start();
  const bootstrap = await readFile(join(folder, 'home', 'bootstrap.json'), 'utf8');
  secretWatch.keepMembers(bootstrap, 'bootstrap.json');
  const { apiKey } = JSON.parse(bootstrap) as { apiKey: string };
  ann = new Client(`http://127.0.0.1:${port}`, apiKey, '', '');
  const topUp = { amountMicros: 1_000_000, reason: 'story', idempotencyKey: randomUUID() };
  await ann.send('POST', '/v1/api/wallet/top-ups', topUp);
  points = await StoppingPoints.of(database.url);
});
afterAll(async () => {
  await helix?.kill();
  await points.close();
  shop.closeAllConnections();
  shop.close();
  await treg.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  sales.length = 0;
  treg.runs.length = 0;
});

const runsOf = (tool: string) =>
  tool === paid ? treg.runs.length : sales.filter((name) => name === tool).length;

interface Killed {
  readonly tool: string;
  /** Sends the request again, as a caller does who had no answer. */
  readonly again: () => ReturnType<typeof ann.call<Call>>;
}

function request(tool: string): Killed {
  const idempotencyKey = randomUUID();
  const input = tool === paid ? { body: { email: 'a@b.example' } } : {};
  return { tool, again: () => ann.call<Call>(tool, input, { idempotencyKey }) };
}

/**
 * Calls tools at the same time, kills the process at a point of their lives and starts it again. Of several calls the first
 * stands in the statement, the others before it.
 */
async function callAndKill(
  tools: readonly string[],
  point: Point,
  beforeRestart = () => {},
): Promise<readonly Killed[]> {
  const calls = tools.map(request);
  const reachTool = point === 'at the tool' || point[0] === 'finish';
  if (reachTool) kept = [];
  else await points.hold(point[0]);
  const answers = calls.map(({ again }) =>
    again().then(
      ({ status }) => status,
      () => 'none',
    ),
  );
  if (reachTool) await eventually(() => kept?.length).toBe(tools.length);
  if (point !== 'at the tool') {
    if (reachTool) await points.hold(point[0]);
    for (const send of kept ?? []) send();
    await points.reached();
  }
  await helix?.kill();
  kept = undefined;
  expect(await Promise.all(answers)).toEqual(tools.map(() => 'none'));
  await (point === 'at the tool' ? points.emptied() : points.letGo(...point));
  // As long as the lease of a call runs nobody takes it over: the story does not wait for that.
  await points.sql(
    `UPDATE tool_call SET lease_until = now() - interval '1 s' WHERE status IN ('queued', 'running')`,
  );
  beforeRestart();
  await start();
  return calls;
}

/** The end of a call after the restart; asking on does not change it. */
async function endOf({ again }: Killed): Promise<Call> {
  await eventually(async () => (await again()).body.status).toMatch(/succeeded|failed|unknown/);
  const answers = [await again(), await again()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const call = answers[0]?.body as Call;
  expect(answers[1]?.body).toEqual(call);
  expect((await ann.get<Call>(`/v1/api/tool-calls/${call.id}`)).body).toEqual(call);
  return call;
}

/** A call that nobody can know the end of: its hold stays until the deadline for its cost, and is taken then. */
async function passDeadline({ id }: Call): Promise<void> {
  expect((await receiptOf(id)).reservation?.state).toBe('open');
  await points.sql(
    `UPDATE tool_call SET completed_at = completed_at - interval '2 days', cost_due = now() WHERE id = $1`,
    [id],
  );
  const cost = async () => (await receiptOf(id)).call.cost;
  await eventually(async () => (await cost()).status).toBe('unknown');
  expect((await cost()).actualMicros).toBeNull();
}

const receiptOf = async (id: string) => (await ann.get<Receipt>(`/v1/api/tool-calls/${id}/receipt`)).body;
const balanceNow = async () => (await ann.get<Wallet>('/v1/api/wallet')).body.balanceMicros;

/** What the wallet was charged for a call, by its receipt. */
async function chargeOf(id: string): Promise<number> {
  const { call, reservation, entries } = await receiptOf(id);
  const moved = entries.reduce((sum, { amountMicros }) => sum + amountMicros, 0);
  expect(call.cost.chargedMicros).toBe(-moved);
  expect(reservation?.state).toMatch(/settled|captured/);
  return -moved;
}

/** Nothing is held or leased any more, and the books are right. */
async function checkRest(balance: number): Promise<void> {
  expect((await ann.get<Wallet>('/v1/api/wallet')).body).toMatchObject({
    heldMicros: 0,
    balanceMicros: balance,
  });
  const busy = `SELECT id FROM tool_call WHERE status IN ('queued', 'running') OR lease_until > now()`;
  expect(await points.sql(busy)).toEqual([]);
  await checkBooks(points.sql);
}

/** How a call ended: tries of it that may have reached the tool, runs of the tool, and what the wallet paid in micros. */
interface End {
  readonly status: 'succeeded' | 'unknown';
  readonly attempts: number;
  readonly runs: number;
  readonly charged: number;
}
const ended = (
  attempts: number,
  runs: number,
  charged: number,
  status: End['status'] = 'succeeded',
): End => ({
  status,
  attempts,
  runs,
  charged,
});

const stories: readonly (readonly [name: string, Point, Readonly<Record<string, End>>])[] = [
  [
    'before it was written: the caller’s second request is the first',
    ['begin', 'lost'],
    { buy: ended(1, 1, 500), [paid]: ended(1, 1, 1_200) },
  ],
  ['after it was written and its money held: it runs', ['begin', 'committed'], { buy: ended(1, 1, 500) }],
  ['the same with Treg', ['begin', 'committed'], { [paid]: ended(2, 1, 1_200) }],
  [
    'after it was marked as sent: nobody knows that the tool was not reached',
    ['start', 'committed'],
    { buy: ended(1, 0, 500, 'unknown') },
  ],
  [
    'while the tool is at work: what may not run twice does not, and Treg knows the call by its id',
    'at the tool',
    { buy: ended(1, 1, 500, 'unknown'), look: ended(2, 2, 500), [paid]: ended(2, 1, 1_200) },
  ],
  [
    'after the tool answered: the same',
    ['finish', 'lost'],
    { buy: ended(1, 1, 500, 'unknown'), look: ended(2, 2, 500), [paid]: ended(2, 1, 1_200) },
  ],
  ['after it was settled: the answer is kept', ['finish', 'committed'], { buy: ended(1, 1, 500) }],
  ['the same with Treg again', ['finish', 'committed'], { [paid]: ended(1, 1, 1_200) }],
];

describe('kill -9 during a paid call', () => {
  it.each(stories)('%s', async (_, point, ends) => {
    if (helix === undefined) await start();
    const before = await balanceNow();
    let charged = 0;
    for (const killed of await callAndKill(Object.keys(ends), point)) {
      const { tool } = killed;
      const { status, attempts, ...end } = ends[tool] as End;
      const call = await endOf(killed);
      expect([tool, call.status, call.attempts]).toEqual([tool, status, attempts]);
      const known = { result: tool === paid ? 'paid' : 'sold', cost: { status: 'settled' } };
      expect(call).toMatchObject(status === 'unknown' ? { cost: { status: 'pending' } } : known);
      if (status === 'unknown') await passDeadline(call);
      expect([tool, runsOf(tool), await chargeOf(call.id)]).toEqual([tool, end.runs, end.charged]);
      charged += end.charged;
    }
    await checkRest(before - charged);
  });

  it('while Treg is at work, which is gone after the restart: what the first try did and cost stays open', async () => {
    if (helix === undefined) await start();
    const before = await balanceNow();
    const [killed] = await callAndKill([paid], 'at the tool', () => (treg.endpoints = 'down'));
    try {
      const call = await endOf(killed as Killed);
      expect(call).toMatchObject({ status: 'unknown', error: { code: 'outcome_unknown' } });
      await passDeadline(call);
      expect(runsOf(paid)).toBe(1);
      await checkRest(before - (await chargeOf(call.id)));
    } finally {
      treg.endpoints = 'ok';
    }
  });
});
