import { Writable } from 'node:stream';
import { QueryFailedError } from 'typeorm';
import { expect, test } from 'vitest';
import { HelixLog } from './helix-log.js';
import { Secret } from './secret.js';

function capture(format: 'json' | 'pretty') {
  let text = '';
  const to = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  return { log: new HelixLog({ level: 'debug', format, to }), text: () => text };
}

test.each(['json', 'pretty'] as const)('no %s line tells a secret, by name or by value', (format) => {
  const { log, text } = capture(format);
  log.secrets.add(new Secret('tok_0123456789'));
  log.write('info', 'Upstream said tok_0123456789.', {
    headers: { 'x-api-key': 'hlx_sk_visible' },
    request: { Authorization: 'Bearer visible', set_cookie: 'visible', nested: { password: 'visible' } },
    url: `https://x/?t=${encodeURIComponent('tok_0123456789')}`,
    basic: Buffer.from('user:tok_0123456789').toString('base64'),
    input: { note: 'visible' },
    error: new Error('failed with tok_0123456789'),
    wrapped: new Secret('visible'),
  });
  expect(text()).toContain('Upstream said [secret].');
  expect(text()).not.toMatch(/visible|tok_0123456789|dXNlcjp0b2tf/);
});

test('of a failed query only SQLSTATE and constraint are told', () => {
  const { log, text } = capture('json');
  const driver = Object.assign(new Error('duplicate key value (token)=(visible)'), {
    code: '23505',
    constraint: 'tool_call_key',
    detail: 'Key (token)=(visible) already exists.',
  });
  log.write('error', 'Not saved.', {
    error: new QueryFailedError('INSERT INTO visible', ['visible'], driver),
  });
  expect(text()).not.toContain('visible');
  expect(JSON.parse(text())).toMatchObject({
    level: 'error',
    message: 'Not saved.',
    error: { code: '23505', constraint: 'tool_call_key' },
  });
});

test('facts of any shape make a line: cycles, depth, bytes, bigints', () => {
  const { log, text } = capture('json');
  const ring: Record<string, unknown> = { name: 'ring' };
  ring.self = ring;
  log.write('info', 'Odd.', {
    ring,
    bytes: Buffer.alloc(3),
    big: 10n,
    when: new Date(Number.NaN),
    run: () => 1,
  });
  expect(JSON.parse(text())).toMatchObject({ bytes: '[3 bytes]', big: '10', when: '[invalid date]' });
});

test('what the level leaves out is not written', () => {
  const { log, text } = capture('json');
  log.write('trace', 'Too much.');
  expect(text()).toBe('');
});
