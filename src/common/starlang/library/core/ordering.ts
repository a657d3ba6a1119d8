import { cells, steps, step } from '../../runtime/machine.js';
import { compareForOrder } from '../../values/compare.js';
import { identityOf } from '../../values/equality.js';
import { bare, keysOf, objectFrom, valuesOf, type KeyLike, type ObjectValue } from '../../values/objects.js';
import type { Value } from '../../values/value.js';
import { fn, type Callback } from '../define.js';

const nothing = () => null;

/** Items and their sort keys, sorted stably. */
export function sortedIndexes(keys: readonly Value[]): number[] {
  steps(keys.length);
  cells(keys.length);
  let turn = 0;
  return Array.from(keys, (_, i) => i).sort((a, b) => {
    if ((++turn & 7) === 0) step();
    return compareForOrder(keys[a] as Value, keys[b] as Value) || a - b;
  });
}

export function sortKey(value: Value): Value {
  const plain = bare(value);
  return Array.isArray(plain) ? identityOf(plain) : plain;
}

/** The values of an object with their keys, as its callbacks take them. */
export const pairs = (object: ObjectValue): [Value, KeyLike][] => {
  const values = valuesOf(object);
  return keysOf(object).map((key, i) => [values[i] as Value, key]);
};

function extreme(items: readonly Value[], by: Callback, sign: number): Value {
  let best: Value = null;
  let bestKey: Value = null;
  for (const [index, item] of items.entries()) {
    step();
    const key = by(item);
    if (index === 0 || compareForOrder(key, bestKey) * sign > 0) [best, bestKey] = [item, key];
  }
  return best;
}

const itself: Callback = (value) => value;

export const ordering = [
  fn(
    'orderBy',
    'Sorted by the criterion, smallest first; equal ones keep their order.',
    [
      ['[3, 1, 2] orderBy $', '[1, 2, 3]'],
      ['[{a: 2}, {a: 1}] orderBy -$.a', '[{"a": 2}, {"a": 1}]'],
    ],
    {
      '(array: Array<T>, criteria: (item: T, index: Number) -> R): Array<T>': (
        items: Value[],
        criteria: Callback,
      ) => sortedIndexes(items.map((item, i) => sortKey(criteria(item, i)))).map((i) => items[i] as Value),
      '(object: Object, criteria: (value: V, key: K) -> R): Object': (
        object: ObjectValue,
        criteria: Callback,
      ) => {
        const all = pairs(object);
        const order = sortedIndexes(all.map(([value, key]) => sortKey(criteria(value, key))));
        return objectFrom(
          order.map((i) => all[i]?.[1] as KeyLike),
          order.map((i) => all[i]?.[0] as Value),
        );
      },
      '(value: Null, criteria: (item: Nothing, index: Nothing) -> Null): Null': nothing,
    },
  ),
  fn(
    'max',
    'The largest item; null of an empty array.',
    [
      ['max([1, 3, 2])', '3'],
      ['max([])', 'null'],
    ],
    {
      '(values: Array<T>): T | Null': (items: Value[]) => extreme(items, itself, 1),
    },
  ),
  fn('min', 'The smallest item; null of an empty array.', [['min([2, 1, 3])', '1']], {
    '(values: Array<T>): T | Null': (items: Value[]) => extreme(items, itself, -1),
  }),
  fn('maxBy', 'The item with the largest criterion.', [['[{a: 1}, {a: 2}] maxBy $.a', '{"a": 2}']], {
    '(array: Array<T>, criteria: (item: T) -> Comparable): T | Null': (items: Value[], criteria: Callback) =>
      extreme(items, criteria, 1),
    '(array: Null, criteria: (item: Nothing) -> Any): Null': nothing,
  }),
  fn('minBy', 'The item with the smallest criterion.', [['[{a: 1}, {a: 2}] minBy $.a', '{"a": 1}']], {
    '(array: Array<T>, criteria: (item: T) -> Comparable): T | Null': (items: Value[], criteria: Callback) =>
      extreme(items, criteria, -1),
    '(array: Null, criteria: (item: Nothing) -> Any): Null': nothing,
  }),
];
