import { expect, test } from 'vitest';
import { UuidV7 } from './uuid-v7.js';

test('ids have the form of version 7 and tell their millisecond', () => {
  const id = new UuidV7(() => 0x0192_0000_abcd).next();
  expect(id).toMatch(/^01920000-abcd-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test('ids ascend within a millisecond, past its counter, and when the clock steps back', () => {
  let now = 1_000_000;
  const ids = new UuidV7(() => now);
  const made = Array.from({ length: 10_000 }, () => ids.next());
  now -= 3_600_000;
  made.push(ids.next());
  expect(made).toEqual([...new Set(made)].sort());
});
