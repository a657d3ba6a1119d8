import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll } from 'vitest';
import { SecretWatch } from './secret-watch.js';

/**
 * Watches one test file: every credential that goes over a socket of this process, in whichever direction, and every
 * line that a Helix of the file logs. A file in whose logs a secret stands fails, whatever its tests say.
 */
export const secretWatch = new SecretWatch();

interface Handled {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function onRequest(message: unknown): void {
  for (const [name, value] of Object.entries((message as Handled).request.headers))
    if (typeof value === 'string') secretWatch.keepHeader(name, value, 'a request');
}

function onAnswer(message: unknown): void {
  const cookies = (message as Handled).response.getHeader('set-cookie') ?? [];
  for (const cookie of [cookies].flat()) secretWatch.keepHeader('set-cookie', String(cookie), 'an answer');
}

subscribe('http.server.request.start', onRequest);
subscribe('http.server.response.finish', onAnswer);

const reading: Promise<void>[] = [];
const plainFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  for (const [name, value] of headers) secretWatch.keepHeader(name, value, 'a request');
  if (typeof init?.body === 'string') secretWatch.keepMembers(init.body, 'a request');
  const answer = await plainFetch(input, init);
  // A stream of events is the reader's alone: a second one would hold up the first.
  if (answer.headers.get('content-type')?.startsWith('application/json') && answer.body !== null)
    reading.push(
      answer
        .clone()
        .text()
        .then((text) => secretWatch.keepMembers(text, 'an answer'))
        .catch(() => undefined),
    );
  return answer;
};

afterAll(async () => {
  unsubscribe('http.server.request.start', onRequest);
  unsubscribe('http.server.response.finish', onAnswer);
  globalThis.fetch = plainFetch;
  await Promise.all(reading);
  const leaks = secretWatch.leaks();
  if (leaks.length > 0)
    throw new Error(
      `Secrets stand in the log:\n${leaks.map(({ secret, form, line }) => `${secret} (${form}): ${line}`).join('\n')}`,
    );
});
