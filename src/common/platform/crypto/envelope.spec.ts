import { expect, test } from 'vitest';
import { unseal } from './aead.js';
import { Envelope } from './envelope.js';
import { Keyring } from './keyring.js';

const one = { id: 'k1', key: Buffer.alloc(32, 1) };
const two = { id: 'k2', key: Buffer.alloc(32, 2) };
const place = ['helix.tool_connection.v1', 'ws1', 'c1', 'treg', ''];
const unreadable = { code: 'PLATFORM.SECRET_UNREADABLE' };

test('what was sealed opens in its place, and nowhere else', async () => {
  const envelope = new Envelope(new Keyring([one]));
  const sealed = await envelope.seal('tok_secret', place);
  expect(sealed).toMatch(/^v1\.k1\.[\w-]+\.[\w-]+$/);
  expect(sealed).not.toContain('tok_secret');
  expect((await envelope.open(sealed, place)).reveal()).toBe('tok_secret');
  await expect(envelope.open(sealed, place.with(1, 'ws2'))).rejects.toMatchObject(unreadable);
  expect(await envelope.seal('tok_secret', place)).not.toBe(sealed);
});

test('another key of the same name, a missing key, a changed bit: none opens it', async () => {
  const sealed = await new Envelope(new Keyring([one])).seal('x', place);
  const other = new Envelope(new Keyring([{ id: 'k1', key: two.key }]));
  await expect(other.open(sealed, place)).rejects.toMatchObject(unreadable);
  await expect(new Envelope(new Keyring([two])).open(sealed, place)).rejects.toMatchObject({
    ...unreadable,
    details: { kekId: 'k1' },
  });
  const middle = sealed.length - 10;
  const changed = sealed.slice(0, middle) + (sealed[middle] === 'A' ? 'B' : 'A') + sealed.slice(middle + 1);
  await expect(new Envelope(new Keyring([one])).open(changed, place)).rejects.toMatchObject(unreadable);
  await expect(new Envelope(new Keyring([one])).open('v0.x', place)).rejects.toMatchObject(unreadable);
});

test('a tag cut to four bytes is no tag', () => {
  const short = Buffer.alloc(12 + 4);
  expect(() => unseal(one.key, short, Buffer.alloc(0))).toThrow('cut short');
});

test('rotation wraps the data key anew, leaves the content, and is done once', async () => {
  const sealed = await new Envelope(new Keyring([one])).seal('x', place);
  const rotating = new Envelope(new Keyring([two, one]));
  const renewed = await rotating.rewrap(sealed, place);
  expect(renewed?.split('.')[1]).toBe('k2');
  expect(renewed?.split('.')[3]).toBe(sealed.split('.')[3]);
  expect(await rotating.rewrap(renewed ?? '', place)).toBeUndefined();
  expect((await new Envelope(new Keyring([two])).open(renewed ?? '', place)).reveal()).toBe('x');
});

test('each purpose has keys of its own, the active one first', () => {
  const ring = new Keyring([two, one]);
  const keys = [
    ...ring.subKeys('api-key-pepper'),
    ...ring.subKeys('cursor-mac'),
    ...ring.subKeys('session-secret'),
  ];
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(6);
  expect(ring.subKeys('cursor-mac')[0]).toEqual(ring.subKey('k2', 'cursor-mac'));
  expect(keys.every((key) => key.length === 32)).toBe(true);
});
