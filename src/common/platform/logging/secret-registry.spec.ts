import { inspect } from 'node:util';
import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { SecretRegistry } from './secret-registry.js';
import { Secret } from './secret.js';

test('a Secret shows itself to nobody but reveal', () => {
  const secret = new Secret('hunter2hunter2');
  const seen = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }),
    inspect(secret, { showHidden: true }),
  ];
  expect(seen.join(' ')).not.toContain('hunter2');
  expect(secret.reveal()).toBe('hunter2hunter2');
});

test('every form in which a secret leaks is masked, whatever stands around it', () => {
  assert(
    property(
      string({ minLength: 8, maxLength: 60, unit: 'grapheme' }),
      string({ maxLength: 20 }),
      string({ maxLength: 20 }),
      (value, before, after) => {
        const registry = new SecretRegistry();
        registry.add(value);
        const encoded = Buffer.from(`${before}${value}`).toString('base64');
        const redacted = [
          `${before}${value}${after}`,
          JSON.stringify({ x: `${before}${value}` }),
          `${before}${encodeURIComponent(value)}${after}`,
          encoded,
          Buffer.from(`${before}${value}`).toString('base64url'),
        ].map((text) => registry.redact(text));
        expect(redacted[0]).not.toContain(value);
        expect(redacted[2]).not.toContain(encodeURIComponent(value));
        // Of base64 the characters shared with neighbours may stay; the secret cannot be read back from them.
        for (const text of redacted) expect(text).toContain('[secret]');
      },
    ),
    { numRuns: 300 },
  );
});

test('a secret held twice stays masked until both have let go', () => {
  const registry = new SecretRegistry();
  const [one, other] = [registry.add('correct horse'), registry.add('correct horse')];
  one();
  one();
  expect(registry.redact('correct horse')).toBe('[secret]');
  other();
  expect(registry.redact('correct horse')).toBe('correct horse');
});

test('a secret that contains another one goes as a whole', () => {
  const registry = new SecretRegistry();
  registry.add('sk_live');
  registry.add('sk_live_abcdef');
  expect(registry.redact('key sk_live_abcdef!')).toBe('key [secret]!');
});
