import { describe, expect, it } from 'vitest';
import { compile, toPlain } from '../index.js';

const diffs = (expr: string) => {
  const script = compile(`import diff from dw::util::Diff\nns a http://a\nns b http://b\n---\n${expr}`);
  return (toPlain(script.run().value) as { diffs: unknown }).diffs;
};

describe('diff', () => {
  it.each([
    ['diff({x: 1}, {y: 1})', 'Entry (root).x with type Number', 'was not present in object.', '(root).x'],
    [
      'diff({a#x: 1}, {b#x: 1})',
      'Entry (root).a#x with type Number',
      'was not present in object.',
      '(root).a#x',
    ],
    ['diff([1, 2], [])', 'Array size is 0', 'was 2', '(root)'],
    ['diff({}, {x: 1})', 'Object size is 1', 'was 0', '(root)'],
    ['diff([{x: 1}], [{x: 2}])', '2', '1', '(root)[0].x'],
    ['diff({x @(c: 2): 1}, {x @(c: 3): 1})', '3', '2', '(root).x.@.c'],
    ['diff("test", "other")', '"other"', '"test"', '(root)'],
    ['diff(1, "1")', '"1"', '1', '(root)'],
    ['diff({x: null}, {x: []})', '[]', 'null', '(root).x'],
    ['diff(1, 2, {}, "total")', '2', '1', 'total'],
    ['diff({x: 1, x: 2}, {x: 1, x: 3})', '3', '2', '(root).x'],
  ])('%s', (expr, expected, actual, path) => {
    expect(diffs(expr)).toEqual([{ expected, actual, path }]);
  });

  it.each([
    'diff({x: [1, {y: |2024-01-01|}]}, {x: [1, {y: |2024-01-01|}]})',
    'diff(1 to 3, [1, 2, 3])',
    'diff({x: 1, y: 2}, {y: 2, x: 1}, {unordered: true})',
    'diff({x @(c: 1, d: 2): 1}, {x @(d: 2, c: 1): 1})',
  ])('finds nothing in %s', (expr) => {
    expect(diffs(expr)).toEqual([]);
  });

  it('minds the order of keys unless it is told not to', () => {
    expect(diffs('diff({x: 1, y: 2}, {y: 2, x: 1})')).toHaveLength(2);
  });
});
