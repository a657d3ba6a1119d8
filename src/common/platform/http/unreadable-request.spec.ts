import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerUnreadable } from './unreadable-request.js';

const server = createServer((request, response) => {
  if (request.url === '/begins') response.write('begun');
  else response.end('ok');
});
answerUnreadable(server, () => 'the-id');

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
});

/** Everything the server says until it closes the connection. */
async function said(text: string, then?: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  let all = '';
  socket.on('data', (part) => {
    all += String(part);
    if (then !== undefined && all.endsWith('\r\n')) socket.write(then);
  });
  socket.write(text);
  await once(socket, 'close');
  return all;
}

test.each([
  ['no HTTP at all', 'NONSENSE\r\n\r\n', 400],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ['a head of 20 kB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\n\r\n', 417],
])('%s is answered as every other error is', async (_, text, status) => {
  const [head = '', body = ''] = (await said(text)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toContain('Content-Type: application/json; charset=utf-8');
  expect(head).toContain('X-Request-Id: the-id');
  expect(body).toMatch(/\{"error":"[^"]+"\}/);
});

test('an answer that has begun is cut off and not written into', async () => {
  const all = await said('GET /begins HTTP/1.1\r\nHost: a\r\n\r\n', 'NONSENSE\r\n\r\n');
  expect(all).toContain('begun');
  expect(all).not.toContain('400');
});
