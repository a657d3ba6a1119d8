import { afterAll } from 'vitest';

const open = new Map<string, string>();

/** Notes that something was opened which the file must close; the stack tells where. */
export function opened(what: string): void {
  open.set(what, new Error('opened here').stack?.split('\n').slice(2, 6).join('\n') ?? '');
}

export function closed(what: string): void {
  open.delete(what);
}

function servers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
}

/** What the runner itself holds. */
const before = servers();

afterAll(async () => {
  const left = [...open].map(([what, where]) => `${what}\n${where}`);
  if (left.length > 0) throw new Error(`This file left open: ${left.join('\n')}`);
  // Keep-alive connections of fetch end by themselves; a server does not.
  for (let turn = 0; turn < 50 && servers() > before; turn++) await new Promise((done) => setImmediate(done));
  if (servers() > before) throw new Error('This file left a server listening.');
});
