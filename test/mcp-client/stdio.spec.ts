import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startCaller, type CallerStand } from './support/caller-stand.js';

const program = join(import.meta.dirname, 'support', 'stdio-peer.mjs');
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

const target = (tool: string, habit: string, more: Record<string, unknown> = {}): unknown => ({
  uri: `mcp://${process.execPath}/${tool}`,
  parameters: { transport: 'stdio', args: [program, habit], era: 'legacy', ...more },
});

async function callerOf(tool: string, habit = '', more: Record<string, unknown> = {}): Promise<CallerStand> {
  const caller = await startCaller({ target: target(tool, habit, more) });
  cleanUp.push(() => caller.stop());
  return caller;
}

const as = (tool: string): { headers: Record<string, unknown> } => ({ headers: { HelixMcpToolName: tool } });

/** Whether a process of that id runs; one that only waits to be reaped does not. */
function runs(pid: unknown): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .toString()
      .trim();
    return state !== '' && !state.startsWith('Z');
  } catch {
    return false;
  }
}

describe('mcp:// over stdio', () => {
  it('starts the program with the first call and keeps it for the next', async () => {
    const caller = await callerOf('pid');
    const first = await caller.ask({});
    const second = await caller.ask({});
    expect(first.failure).toBeNull();
    expect(second.body).toBe(first.body);
    expect((await caller.ask({ a: 1 }, as('echo'))).body).toBe('{"a":1}');
  });

  it.each(['', 'startled'])('finds out which generation a program speaks, habit "%s"', async (habit) => {
    const caller = await callerOf('echo', habit, { era: 'auto' });
    const exchange = await caller.ask({ a: 1 });
    expect(exchange.failure).toBeNull();
    expect(exchange.body).toBe('{"a":1}');
  });

  it('gives it the variables that are written, and none of its own but the harmless', async () => {
    process.env['HELIX_STORY_SECRET'] = 'hunter2';
    try {
      const caller = await callerOf('environment', '', { env: { LICENCE: 'abc' }, cwd: '/' });
      const variables = JSON.parse(String((await caller.ask({})).body)) as Record<string, string>;
      expect(variables).toMatchObject({ LICENCE: 'abc', PATH: process.env['PATH'] });
      expect(variables).not.toHaveProperty('HELIX_STORY_SECRET');
      expect((await caller.ask({}, as('folder'))).body).toBe('/');
    } finally {
      delete process.env['HELIX_STORY_SECRET'];
    }
  });

  it('takes arguments as they are, shell characters too', async () => {
    const caller = await callerOf('echo', '$(touch /nowhere); `id` && exit');
    expect((await caller.ask({ a: 1 })).body).toBe('{"a":1}');
  });

  it.each(['junk', 'flood'])('does not mind a program with the habit "%s"', async (habit) => {
    const caller = await callerOf('echo', habit);
    expect((await caller.ask({ a: 1 })).body).toBe('{"a":1}');
  });

  it('reads a large answer once', async () => {
    const caller = await callerOf('large');
    const at = performance.now();
    expect(String((await caller.ask({ size: 8_000_000 })).body)).toHaveLength(8_000_000);
    expect(performance.now() - at).toBeLessThan(15_000);
  });

  it('ends a program that answers more than is allowed', async () => {
    const caller = await callerOf('large', '', { 'max-message-bytes': 10_000 });
    const pid = (await caller.ask({}, as('pid'))).body;
    expect((await caller.ask({ size: 20_000 })).failure).toMatchObject({ code: 'MCP.CONNECTION_LOST' });
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('tells why a program did not start, without its secrets', async () => {
    const caller = await callerOf('echo', 'dies-at-once', { env: { LICENCE: 'abcdef' } });
    const { failure } = await caller.ask({});
    expect(failure).toMatchObject({ code: 'MCP.CONNECT_FAILED' });
    expect(failure?.message).toContain('no licence for ***');
    expect((await caller.ask({})).failure).toBe(failure);
  });

  it('tells of a program that is not there', async () => {
    const caller = await startCaller({ target: 'mcp:///no/such/program/echo?transport=stdio' });
    cleanUp.push(() => caller.stop());
    expect((await caller.ask({})).failure).toMatchObject({
      code: 'MCP.CONNECT_FAILED',
      message: expect.stringContaining('ENOENT') as string,
    });
  });

  it('fails at once when the program dies under a call, and starts it anew where that is wanted', async () => {
    const caller = await callerOf('echo', '', { reconnect: true });
    await caller.ask({});
    expect((await caller.ask({}, as('exit'))).failure).toMatchObject({ code: 'MCP.CONNECTION_LOST' });
    expect((await caller.ask({ a: 1 })).body).toBe('{"a":1}');
    const once = await callerOf('echo');
    await once.ask({}, as('exit'));
    expect((await once.ask({})).failure).toMatchObject({ code: 'MCP.CONNECTION_LOST' });
  });

  it('goes on after a call that hangs', async () => {
    const caller = await callerOf('hang', '', { timeout: '1s' });
    expect((await caller.ask({})).failure).toMatchObject({ code: 'ENGINE.TIMED_OUT' });
    expect((await caller.ask({}, as('echo'))).body).toBe('{}');
  });

  it.each(['', 'stubborn'])('leaves nothing running behind it, habit "%s"', async (habit) => {
    const caller = await startCaller({ target: target('pid', habit) });
    const pid = (await caller.ask({})).body;
    const grandchild = (await caller.ask({}, as('fork'))).body;
    expect([runs(pid), runs(grandchild)]).toEqual([true, true]);
    await caller.stop();
    expect(runs(pid)).toBe(false);
    await expect.poll(() => runs(grandchild)).toBe(false);
  });

  it('leaves nothing running of a program that died by itself', async () => {
    const caller = await callerOf('pid');
    const grandchild = (await caller.ask({}, as('fork'))).body;
    await caller.ask({}, as('exit'));
    await expect.poll(() => runs(grandchild)).toBe(false);
  });

  it('starts no program that only a message names', async () => {
    const caller = await callerOf('echo');
    const address = `mcp:///bin/sh/x?transport=stdio`;
    const exchange = await caller.engine.request(address, { body: {} });
    expect(exchange.failure).toMatchObject({ code: 'MCP.EGRESS_REFUSED' });
  });
});
