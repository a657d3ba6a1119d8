import { RequestStates } from '../../src/modules/mcp-server/protocol/request-state.js';
import { MemoryTaskShelf } from '../../src/modules/mcp-server/protocol/tasks.js';
import { McpOffers } from '../../src/components/mcp-server/mcp-offers.js';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MemoryDirectory, MemoryLog } from '../../src/components/mcp-server/testing/memory-directory.js';
import { WorkflowTools } from '../../src/components/mcp-server/workflow-tools.js';
import { MemorySessionShelf } from '../../src/components/mcp-server/session-shelf.js';
import { anonymousCaller } from '../../src/common/engine/model/caller.js';
import { HttpEndpoint } from '../../src/modules/mcp-server/transport/http-endpoint.js';
import { Listener } from '../../src/modules/mcp-server/transport/listener.js';
import { modern, openSession, rpc, send } from './support/raw-http.js';

const log = new MemoryLog();
const clock = { now: (): number => Date.now() };
let waiting = 0;
let onWaiting: (() => void) | undefined;

const directory = new MemoryDirectory([
  { id: 'echo' },
  {
    id: 'waits',
    process: (exchange) =>
      new Promise<void>((resolve) => {
        waiting++;
        onWaiting?.();
        exchange.signal.addEventListener('abort', () => {
          waiting--;
          onWaiting?.();
          resolve();
        });
      }),
  },
]);
const source = new WorkflowTools({
  route: directory.route(),
  choice: { workflows: [], allowed_tools: [], blocked_tools: [], tasks: [], tasks_required: [] },
  offers: new McpOffers(),
  sessions: new MemorySessionShelf(clock),
  log,
  clock,
});
const endpoint = new HttpEndpoint({
  identity: { name: 'leaks', version: '1' },
  source,
  states: new RequestStates(),
  tasks: new MemoryTaskShelf(),
  log,
  maxBodyBytes: 100_000,
  door: { admit: () => ({ caller: anonymousCaller, charge: () => null }) },
  origins: null,
  paths: null,
  sessionCaps: { total: 60, perPrincipal: 55, idleMs: 1000 },
});
const listener = new Listener((request, response) => endpoint.handle(request, response));
let url: URL;

beforeAll(async () => {
  await listener.listen('127.0.0.1', 0);
  url = new URL(`http://127.0.0.1:${listener.port}`);
});

afterAll(async () => {
  endpoint.close();
  source.close();
  await listener.close();
});

/** Resolves once so many calls wait inside a workflow. */
function untilWaiting(count: number): Promise<void> {
  return new Promise((resolve) => {
    onWaiting = () => {
      if (waiting === count) resolve();
    };
    onWaiting();
  });
}

it('keeps nothing of 500 calls, 50 cancelled ones and 50 clients that left', async () => {
  const session = await openSession(url);
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => session.post(rpc('tools/call', { name: 'echo' }, round * 50 + n))),
    );
  }
  const cancelled = Array.from({ length: 50 }, (_, n) =>
    session.post(rpc('tools/call', { name: 'waits' }, `cancel ${n}`)),
  );
  await untilWaiting(50);
  for (let n = 0; n < 50; n++) {
    await session.post(rpc('notifications/cancelled', { requestId: `cancel ${n}` }).replace('"id":1,', ''));
  }
  await Promise.all(cancelled);
  const agent = new Agent({ keepAlive: false });
  const { headers, body } = modern('tools/call', { name: 'waits' });
  const dropped = Array.from({ length: 50 }, () => {
    const request = httpRequest(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', accept: '*/*', ...headers },
    });
    request.on('error', () => undefined);
    request.end(body);
    return request;
  });
  await untilWaiting(50);
  for (const request of dropped) request.destroy();
  await untilWaiting(0);
  expect(endpoint.heartbeat.size).toBe(0);
  expect(endpoint.modern.subscriptions).toBe(0);
  expect(endpoint.legacy.sessions.size).toBe(1);
  const found = endpoint.legacy.sessions.find(session.id, anonymousCaller);
  expect(found?.conversation.inFlight).toBe(0);
  expect(directory.listeners).toBe(1);
});

it('opens no more sessions than the caps allow, and ends idle ones', async () => {
  const statuses = new Set<number>();
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  for (let n = 0; n < 80; n++) statuses.add((await send(url, { body: rpc('initialize', params) })).status);
  expect(statuses).toEqual(new Set([200, 503]));
  expect(endpoint.legacy.sessions.size).toBe(55);
  endpoint.legacy.sessions.sweep(Date.now() + 1001);
  expect(endpoint.legacy.sessions.size).toBe(0);
  expect((await send(url, { body: rpc('initialize', params) })).status).toBe(200);
});

it('allocates nothing for who only looks by', async () => {
  const before = endpoint.legacy.sessions.size;
  for (let n = 0; n < 20; n++) expect((await send(url, { method: 'GET' })).status).toBe(400);
  expect(endpoint.legacy.sessions.size).toBe(before);
});
