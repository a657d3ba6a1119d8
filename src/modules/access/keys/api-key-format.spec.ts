import { describe, expect, it } from 'vitest';
import { formatCredential, mintCredential, parseCredential } from './api-key-format.js';

describe('the format of a credential', () => {
  it('has a public id, a secret and a checksum', () => {
    const parts = mintCredential('sk');
    const text = formatCredential(parts);
    expect(text).toMatch(/^hlx_sk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(parseCredential(text)).toEqual(parts);
  });

  it('keeps its id when the secret is renewed', () => {
    const first = mintCredential('sk');
    const second = mintCredential('sk', first.id);
    expect(second.id).toBe(first.id);
    expect(second.secret).not.toBe(first.secret);
  });

  it('is refused after any single change', () => {
    const text = formatCredential(mintCredential('sk'));
    for (let place = 0; place < text.length; place += 1) {
      const other = text[place] === 'a' ? 'b' : 'a';
      expect(parseCredential(text.slice(0, place) + other + text.slice(place + 1))).toBeNull();
    }
  });

  it('binds the kind: a key does not pass as a task credential', () => {
    const text = formatCredential(mintCredential('sk'));
    expect(parseCredential(text.replace('hlx_sk_', 'hlx_task_'))).toBeNull();
  });

  it.each(['', ' ', 'hlx_sk_', 'x'.repeat(10_000), 'hlx_sk_exampleA_0000000000000000000000000000000000000'])(
    'refuses %j',
    (text) => {
      expect(parseCredential(text)).toBeNull();
      const real = formatCredential(mintCredential('sk'));
      expect(parseCredential(`${real}, ${real}`)).toBeNull();
      expect(parseCredential(`${real}\n`)).toBeNull();
    },
  );
});
