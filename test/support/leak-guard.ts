import { afterAll, expect } from 'vitest';

const open = new Map<string, string>();

/** Notes that something was opened which the file must close; the stack tells where. */
export function opened(what: string): void {
  open.set(what, new Error('opened here').stack?.split('\n').slice(2, 6).join('\n') ?? '');
}

export function closed(what: string): void {
  open.delete(what);
}

/** Timers, servers and sockets that keep the process alive; what the runner itself holds is counted before. */
function held(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => /^(Timeout|TCPServerWrap|TCPSocketWrap)$/.test(name));
}

const before = held().length;

/** Sockets end a moment after their owner closed them. */
async function settle(): Promise<number> {
  for (let turn = 0; turn < 50 && held().length > before; turn++)
    await new Promise((done) => setImmediate(done));
  return held().length;
}

afterAll(async () => {
  expect(
    [...open].map(([what, where]) => `${what} ${where}`),
    'left open by this file',
  ).toEqual([]);
  const after = await settle();
  // Keep-alive connections of fetch end by themselves; a server or a repeating timer does not.
  expect(
    held().filter((name) => name === 'TCPServerWrap'),
    `a server still listens (${after} handles)`,
  ).toEqual([]);
});
