import { McpOffers } from '../../src/components/mcp-server/mcp-offers.js';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { MemorySessionShelf } from '../../src/components/mcp-server/session-shelf.js';
import { McpServerComponent } from '../../src/components/mcp-server/mcp-server.component.js';
import { NodeMcpHost } from '../../src/modules/mcp-server/index.js';
import { startCaller, type CallerStand } from './support/caller-stand.js';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** An engine that serves `greet` over MCP and calls its own server, with no leave for any other private address. */
async function startBoth(path: string, serverOptions: string, callerOptions: string): Promise<CallerStand> {
  const port = await freePort();
  const log = { write: (): void => undefined };
  const clock = { now: (): number => Date.now() };
  const stdio = { input: new PassThrough(), output: new PassThrough() };
  const host = new NodeMcpHost({ log, stdio, onStdioEnd: () => undefined, graceMs: 2000 });
  const caller = await startCaller({
    target: `mcp://127.0.0.1:${port}${path}/greet?${callerOptions}`,
    egress: false,
    components: [
      new McpServerComponent({
        host,
        offers: new McpOffers(),
        sessions: new MemorySessionShelf(clock),
        log,
        clock,
      }),
    ],
    workflows: [
      {
        id: 'greet',
        from: 'direct://greet',
        'input-schema': { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        steps: [{ 'set-body': { starlang: '({ greeting: "Hello " + payload.name })' } }],
      },
      { id: 'mcp-server', from: `mcp-server://127.0.0.1:${port}?${serverOptions}` },
    ],
  });
  cleanUp.push(() => caller.stop());
  return caller;
}

describe('mcp:// and the mcp-server:// of the same workspace', () => {
  it.each([
    ['the newer generation', '', '', ''],
    ['the older generation', '', '', 'era=legacy'],
    ['HTTP with server-sent events', '/sse', 'transport=sse', 'transport=sse'],
  ])('understand each other in %s, without leave for private addresses', async (_, path, server, caller) => {
    const both = await startBoth(path, server, caller);
    const exchange = await both.ask({ name: 'Ann' });
    expect(exchange.failure).toBeNull();
    expect(JSON.parse(String(exchange.body))).toEqual({ greeting: 'Hello Ann' });
    const wrong = await both.ask({});
    expect(wrong.failure).toMatchObject({ code: 'MCP.TOOL_FAILED' });
    expect(String(wrong.body)).toMatch(/name/);
  });

  it('agree on a key', async () => {
    const both = await startBoth('', 'api_keys=k1', 'bearer=k1');
    expect((await both.ask({ name: 'Ann' })).failure).toBeNull();
    const stranger = await startBoth('', 'api_keys=k1', 'bearer=k2');
    expect((await stranger.ask({ name: 'Ann' })).failure).toMatchObject({ code: 'MCP.CONNECT_FAILED' });
  });
});
