import { expect, it } from 'vitest';
import { pageOf, pageSize } from './page.js';

const named = (count: number): { name: string }[] =>
  Array.from({ length: count }, (_, n) => ({ name: `tool-${String(n).padStart(5, '0')}` }));

it('walks through every item once and ends', () => {
  const items = named(pageSize * 2 + 1);
  const walked: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = pageOf(items, cursor);
    walked.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== undefined);
  expect(pages).toBe(3);
  expect(walked).toEqual(items.map(({ name }) => name));
});

it('needs one page where all fit, and goes on though items went', () => {
  const items = named(pageSize);
  expect(pageOf(items, undefined).nextCursor).toBeUndefined();
  const { nextCursor } = pageOf(named(pageSize + 10), undefined);
  const rest = pageOf([...named(10), ...named(pageSize + 5).slice(pageSize)], nextCursor);
  expect(rest.items).toHaveLength(5);
  expect(pageOf(named(3), nextCursor).items).toHaveLength(0);
});

it.each([[''], ['%%'], [7], [null], ['=='], [Buffer.from('a b').toString('base64url')]])(
  'refuses the cursor %j',
  (cursor) => {
    expect(() => pageOf(named(1), cursor)).toThrow('does not belong to this list');
  },
);
