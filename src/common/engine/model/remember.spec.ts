import { expect, it } from 'vitest';
import { remembering } from './remember.js';

it('asks once for each text, as long as it has room, and never keeps a long one', () => {
  const asked: string[] = [];
  const half = remembering((text) => {
    asked.push(text);
    return text.length / 2;
  }, 2);
  const long = 'x'.repeat(300);
  for (const text of ['a', 'a', 'bb', 'a', 'ccc', 'bb', long, long]) expect(half(text)).toBe(text.length / 2);
  expect(asked).toEqual(['a', 'bb', 'ccc', 'bb', long, long]);
});
