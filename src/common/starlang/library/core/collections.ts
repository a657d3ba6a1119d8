import { passes } from '../arguments.js';
import { fn, type Callback } from '../define.js';
import { pairs } from './ordering.js';
import { checkCollectionSize, checkTextLength, step, steps, walk } from '../../runtime/machine.js';
import { identityOf } from '../../values/equality.js';
import { coerceTo } from '../../values/coerce.js';
import { bare, objectFrom, ObjectBuilder, type KeyLike, type ObjectValue } from '../../values/objects.js';
import { charactersOf, requireText } from '../../values/text.js';
import { Range } from '../../values/range.js';
import { typeFault } from '../../errors/fault.js';
import type { Value } from '../../values/value.js';
import type { Numeric } from '../../numbers/decimal.js';

const nothing = () => null;

function grouped(
  items: Iterable<readonly [Value, Value]>,
  criteria: Callback,
): Map<string, [KeyLike, Value[], Value[]]> {
  const groups = new Map<string, [KeyLike, Value[], Value[]]>();
  for (const [value, key] of items) {
    const group = criteria(value, key);
    const name = groupName(group);
    step();
    walk(name);
    const found = groups.get(name);
    if (found) {
      found[1].push(value);
      found[2].push(key);
    } else groups.set(name, [name, [value], [key]]);
  }
  return groups;
}

/** An array, item for item; anything else as one item. */
export function pushAll(out: Value[], given: Value): void {
  const part = bare(given);
  const list = part instanceof Range ? part.items() : part;
  if (!Array.isArray(list)) {
    out.push(part);
    return;
  }
  checkCollectionSize(out.length + list.length);
  steps(list.length);
  for (const one of list) out.push(one);
}

function joined(items: readonly Value[], separator: string): string {
  steps(items.length);
  let length = 0;
  const texts = items.map((item) => {
    const text = bare(item) === null ? '' : requireText(item);
    checkTextLength((length += text.length + separator.length) - separator.length);
    return text;
  });
  return texts.join(separator);
}

/** The name of the group of a criterion. */
export const groupName = (group: Value): string => (group === null ? 'null' : requireText(group));

export const collections = [
  fn('map', 'The array of what the function gives for each item.', [['[1, 2] map ($ * 2)', '[2, 4]']], {
    '(items: Array<T>, mapper: (item: T, index: Number) -> R): Array<R>': (
      items: Value[],
      mapper: Callback,
    ) => {
      const out: Value[] = [];
      for (let i = 0; i < items.length; i++) out.push(mapper(items[i] as Value, i));
      return out;
    },
    '(items: Null, mapper: (item: Nothing, index: Nothing) -> Any): Null': nothing,
  }),
  fn(
    'filter',
    'The items (or characters) for which the condition holds.',
    [['[1, 2, 3] filter ($ > 1)', '[2, 3]']],
    {
      '(items: Array<T>, criteria: (item: T, index: Number) -> Boolean): Array<T>': (
        items: Value[],
        criteria: Callback,
      ) => items.filter((item, i) => passes(criteria(item, i), 'filter')),
      '(text: String, criteria: (character: String, index: Number) -> Boolean): String': (
        text: string,
        criteria: Callback,
      ) =>
        charactersOf(text)
          .filter((c, i) => passes(criteria(c, i), 'filter'))
          .join(''),
      '(value: Null, criteria: (item: Nothing, index: Nothing) -> Any): Null': nothing,
    },
  ),
  fn(
    'flatMap',
    'Maps each item to an array and joins the arrays.',
    [['[[1], [2, 3]] flatMap $', '[1, 2, 3]']],
    {
      '(items: Array<T>, mapper: (item: T, index: Number) -> Array<R>): Array<R>': (
        items: Value[],
        mapper: Callback,
      ) => {
        const out: Value[] = [];
        for (const [i, item] of items.entries()) {
          pushAll(out, mapper(item, i));
        }
        return out;
      },
      '(value: Null, mapper: (item: Nothing, index: Nothing) -> Any): Null': nothing,
    },
  ),
  fn(
    'flatten',
    'Joins the arrays that stand in an array, one level deep.',
    [['flatten([[1], 2, [3, [4]]])', '[1, 2, 3, [4]]']],
    {
      '(items: Array<Array<T> | Q>): Array<T | Q>': (items: Value[]) => {
        const out: Value[] = [];
        for (const item of items) {
          const part = bare(item);
          const list = part instanceof Range ? part.items() : part;
          if (Array.isArray(list)) {
            checkCollectionSize(out.length + list.length);
            steps(list.length);
            for (const one of list) out.push(one);
          } else out.push(item);
        }
        return out;
      },
      '(value: Null): Null': nothing,
    },
  ),
  fn(
    'reduce',
    'Folds the items into one value: `$` is the item, `$$` the accumulator.',
    [
      ['[1, 2, 3] reduce ($$ + $)', '6'],
      ['[] reduce ((item, sum = 0) -> sum + item)', '0'],
    ],
    {
      '(items: Array<T>, callback: (item: T, accumulator: A) -> A): A': (
        items: Value[],
        callback: Callback,
      ) => fold(items, callback),
      '(text: String, callback: (item: String, accumulator: A) -> A): A': (
        text: string,
        callback: Callback,
      ) => (text === '' && !startOf(callback) ? '' : fold(charactersOf(text), callback)),
      '(items: Null, callback: (item: T, accumulator: A) -> A): Null': nothing,
    },
  ),
  fn(
    'groupBy',
    'An object of arrays (or texts, objects), one for each value of the criterion.',
    [['[1, 2, 3] groupBy isOdd($)', '{"true": [1, 3], "false": [2]}']],
    {
      '(items: Array<T>, criteria: (item: T, index: Number) -> R): {| (R): Array<T> |}': (
        items: Value[],
        criteria: Callback,
      ) => {
        const builder = new ObjectBuilder();
        for (const [key, values] of grouped(
          items.map((item, i) => [item, i] as const),
          criteria,
        ).values())
          builder.add(key, values);
        return builder.done();
      },
      '(text: String, criteria: (character: String, index: Number) -> R): { (R): String }': (
        text: string,
        criteria: Callback,
      ) => {
        const builder = new ObjectBuilder();
        for (const [key, values] of grouped(
          charactersOf(text).map((c, i) => [c, i] as const),
          criteria,
        ).values())
          builder.add(key, values.map(requireText).join(''));
        return builder.done();
      },
      '(object: Object, criteria: (value: V, key: K) -> R): Object': (
        object: ObjectValue,
        criteria: Callback,
      ) => {
        const builder = new ObjectBuilder();
        for (const [key, values, keys] of grouped(pairs(object), criteria).values())
          builder.add(key, objectFrom(keys as KeyLike[], values));
        return builder.done();
      },
      '(value: Null, criteria: (Nothing, Nothing) -> Any): Null': nothing,
    },
  ),
  fn(
    'distinctBy',
    'The first item (or pair) for each value of the criterion.',
    [['[1, 2, 1] distinctBy $', '[1, 2]']],
    {
      '(items: Array<T>, criteria: (item: T, index: Number) -> Any): Array<T>': (
        items: Value[],
        criteria: Callback,
      ) => {
        const seen = new Set<string>();
        return items.filter((item, i) => {
          const id = identityOf(criteria(item, i));
          return !seen.has(id) && seen.add(id);
        });
      },
      '(object: Object, criteria: (value: V, key: K) -> Any): Object': (
        object: ObjectValue,
        criteria: Callback,
      ) => {
        const seen = new Set<string>();
        const builder = new ObjectBuilder();
        for (const [value, key] of pairs(object)) {
          const id = identityOf(criteria(value, key));
          if (!seen.has(id)) builder.add(key, value);
          seen.add(id);
        }
        return builder.done();
      },
      '(items: Null, criteria: (item: Nothing, index: Nothing) -> Any): Null': nothing,
    },
  ),
  fn(
    'joinBy',
    'One text of all items with a separator between them.',
    [['["a", 1, true] joinBy "-"', '"a-1-true"']],
    {
      '(elements: Array<StringCoerceable>, separator: String): String': (items: Value[], separator: string) =>
        joined(items, separator),
      '(n: Null, separator: Any): Null': nothing,
    },
  ),
  fn(
    'zip',
    'Pairs of the items at the same place of two arrays.',
    [['[0, 1] zip ["a", "b"]', '[[0, "a"], [1, "b"]]']],
    {
      '(left: Array<T>, right: Array<R>): Array<Array<T | R>>': (left: Value[], right: Value[]) =>
        left.slice(0, right.length).map((item, i) => [item, right[i] as Value]),
    },
  ),
  fn(
    'unzip',
    'The opposite of zip: an array of the first items, one of the second items.',
    [['unzip([[0, "a"], [1, "b"]])', '[[0, 1], ["a", "b"]]']],
    {
      '(items: Array<Array<T>>): Array<Array<T>>': (items: Value[]) => {
        const lists = items.map((item) => coerceTo(bare(item), 'Array') as Value[]);
        const length = Math.min(...lists.map((list) => list.length));
        return Number.isFinite(length)
          ? Array.from({ length }, (_, i) => lists.map((list) => list[i] as Value))
          : [];
      },
    },
  ),
  fn(
    'to',
    'The range of whole numbers from one to another, both included.',
    [
      ['1 to 3', '[1, 2, 3]'],
      ['3 to 1', '[3, 2, 1]'],
    ],
    {
      '(from: Number, to: Number): Range': (from: Numeric, to: Numeric) => {
        const [a, b] = [Number(from), Number(to)];
        if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b))
          throw typeFault(`A range needs whole numbers, not ${String(from)} to ${String(to)}`);
        return new Range(a, b);
      },
    },
  ),
];

/** Without an accumulator of its own the callback starts with the first item. */
function fold(items: readonly Value[], callback: Callback): Value {
  const start = startOf(callback);
  let accumulator: Value | undefined = start?.();
  let from = 0;
  if (start === undefined) {
    if (items.length === 0) return null;
    accumulator = items[0] as Value;
    from = 1;
  }
  for (let i = from; i < items.length; i++) accumulator = callback(items[i] as Value, accumulator as Value);
  return accumulator as Value;
}

/** Set by lambdas whose second parameter has a default value. */
const startOf = (callback: Callback): (() => Value) | undefined => callback.start;
