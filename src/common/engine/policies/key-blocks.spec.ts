import { describe, expect, it } from 'vitest';
import { KeyBlocks } from './key-blocks.js';

describe('keys in blocks', () => {
  const known = ['ab', 'abcdef', 'schlüssel', 'a\0'];
  const blocks = new KeyBlocks(known);

  it('finds each one, again and again', () => {
    for (let turn = 0; turn < 2; turn++)
      expect(known.map((key) => blocks.indexOf(key))).toEqual([0, 1, 2, 3]);
  });

  it.each([
    '',
    'a',
    'abc',
    'abcde',
    'abcdeg',
    'abcdefg',
    'ab\0\0',
    'schlüssel plus',
    'x'.repeat(10_000),
    'aé',
  ])('does not take %j for one of them', (shown) => expect(blocks.indexOf(shown)).toBe(-1));

  it('finds nothing where nothing is known', () => {
    expect(new KeyBlocks([]).indexOf('')).toBe(-1);
  });
});
