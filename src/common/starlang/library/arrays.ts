import { add } from '../numbers/arithmetic.js';
import type { Numeric } from '../numbers/decimal.js';
import { typeFault } from '../errors/fault.js';
import { steps } from '../runtime/machine.js';
import { equals, identityOf } from '../values/equality.js';
import type { Value } from '../values/value.js';
import { numberItem, passes, whole } from './arguments.js';
import { nullable, type Callback, type LibraryModule } from './define.js';

function chunks(items: Value[], amount: Numeric): Value[] {
  const size = whole(amount, 'The size of the parts');
  if (size < 1) throw typeFault(`The size of the parts must be at least 1, not ${size}`);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

const count = (amount: Numeric) => Math.max(0, whole(amount, 'The number of items'));

/** Where the condition first does not hold. */
function whileHolds(items: Value[], test: Callback, name: string): number {
  const index = items.findIndex((item) => !passes(test(item), name));
  return index < 0 ? items.length : index;
}

const split = (items: Value[], at: number): Value => ({ l: items.slice(0, at), r: items.slice(at) });

/** Pairs {l, r} of the items whose criteria are equal; `kept` says which lonely ones stay. */
function joined(
  left: Value[],
  right: Value[],
  byLeft: Callback,
  byRight: Callback,
  kept: 'none' | 'left' | 'all',
): Value[] {
  const groups = new Map<string, Value[]>();
  const used = new Set<string>();
  for (const item of right) {
    const id = identityOf(byRight(item));
    const group = groups.get(id);
    if (group) group.push(item);
    else groups.set(id, [item]);
  }
  const out: Value[] = [];
  for (const l of left) {
    const id = identityOf(byLeft(l));
    const group = groups.get(id);
    used.add(id);
    if (group) {
      steps(group.length);
      for (const r of group) out.push({ l, r });
    } else if (kept !== 'none') out.push({ l });
  }
  if (kept === 'all')
    for (const [id, group] of groups) if (!used.has(id)) for (const r of group) out.push({ r });
  return out;
}

const JOIN =
  '(left: Array<L>, right: Array<R>, leftCriteria: (leftValue: L) -> String, rightCriteria: (rightValue: R) -> String): Array<Object>';
const TEST = '(array: Array<T>, condition: (item: T) -> Boolean)';

export const arrays: LibraryModule = {
  name: 'dw::core::Arrays',
  functions: [
    nullable('countBy', 'How many items fulfil the condition.', [['[1, 2, 3] countBy ($ > 1)', '2']], {
      [`${TEST}: Number`]: (items: Value[], test: Callback) =>
        items.filter((item) => passes(test(item), 'countBy')).length,
    }),
    nullable('divideBy', 'The items in arrays of a size.', [['[1, 2, 3] divideBy 2', '[[1, 2], [3]]']], {
      '(items: Array<T>, amount: Number): Array<Array<T>>': chunks,
    }),
    nullable('drop', 'Without the first items.', [['[1, 2, 3] drop 2', '[3]']], {
      '(array: Array<T>, n: Number): Array<T>': (items: Value[], n: Numeric) => items.slice(count(n)),
    }),
    nullable(
      'dropWhile',
      'Without the first items as long as they fulfil the condition.',
      [['[1, 2, 1] dropWhile ($ < 2)', '[2, 1]']],
      {
        [`${TEST}: Array<T>`]: (items: Value[], test: Callback) =>
          items.slice(whileHolds(items, test, 'dropWhile')),
      },
    ),
    nullable(
      'every',
      'Do all items fulfil the condition?',
      [
        ['[1, 2] every ($ > 0)', 'true'],
        ['every(null, true)', 'true'],
      ],
      {
        [`${TEST}: Boolean`]: (items: Value[], test: Callback) =>
          items.every((item) => passes(test(item), 'every')),
      },
      true,
    ),
    nullable(
      'some',
      'Does any item fulfil the condition?',
      [['[1, 2] some ($ > 1)', 'true']],
      {
        [`${TEST}: Boolean`]: (items: Value[], test: Callback) =>
          items.some((item) => passes(test(item), 'some')),
      },
      false,
    ),
    nullable(
      'firstWith',
      'The first item that fulfils the condition, null without one.',
      [['[1, 2, 3] firstWith ($ > 1)', '2']],
      {
        '(array: Array<T>, condition: (item: T, index: Number) -> Boolean): T | Null': (
          items: Value[],
          test: Callback,
        ) => items.find((item, i) => passes(test(item, i), 'firstWith')) ?? null,
      },
    ),
    nullable(
      'indexOf',
      'The place of an item, -1 without one.',
      [['indexOf(["a", "b"], "b")', '1']],
      {
        '(array: Array<T>, toFind: Any): Number': (items: Value[], wanted: Value) =>
          items.findIndex((item) => equals(item, wanted)),
        '(text: String, toFind: String): Number': (text: string, wanted: string) => text.indexOf(wanted),
      },
      -1,
    ),
    nullable(
      'indexWhere',
      'The place of the first item that fulfils the condition, -1 without one.',
      [['[1, 2] indexWhere ($ > 1)', '1']],
      {
        [`${TEST}: Number`]: (items: Value[], test: Callback) =>
          items.findIndex((item) => passes(test(item), 'indexWhere')),
      },
    ),
    nullable(
      'join',
      'Pairs {l, r} of the items of two arrays whose criteria are equal.',
      [['join([{a: 1}, {a: 2}], [{b: 1}], (l) -> l.a, (r) -> r.b)', '[{"l": {"a": 1}, "r": {"b": 1}}]']],
      {
        [JOIN]: (l: Value[], r: Value[], a: Callback, b: Callback) => joined(l, r, a, b, 'none'),
      },
    ),
    nullable(
      'leftJoin',
      'As join, and the items of the left that have no partner.',
      [['leftJoin([{a: 2}], [{b: 1}], (l) -> l.a, (r) -> r.b)', '[{"l": {"a": 2}}]']],
      {
        [JOIN]: (l: Value[], r: Value[], a: Callback, b: Callback) => joined(l, r, a, b, 'left'),
      },
    ),
    nullable(
      'outerJoin',
      'As join, and the items of both that have no partner.',
      [['outerJoin([{a: 2}], [{b: 1}], (l) -> l.a, (r) -> r.b)', '[{"l": {"a": 2}}, {"r": {"b": 1}}]']],
      {
        [JOIN]: (l: Value[], r: Value[], a: Callback, b: Callback) => joined(l, r, a, b, 'all'),
      },
    ),
    nullable(
      'partition',
      'The items that fulfil the condition, and the others.',
      [['[1, 2, 3] partition isEven($)', '{"success": [2], "failure": [1, 3]}']],
      {
        [`${TEST}: Object`]: (items: Value[], test: Callback) => {
          const [success, failure]: [Value[], Value[]] = [[], []];
          for (const item of items) (passes(test(item), 'partition') ? success : failure).push(item);
          return { success, failure };
        },
      },
    ),
    nullable(
      'slice',
      'The items from one place up to but not another.',
      [['slice([0, 1, 2, 3], 1, 3)', '[1, 2]']],
      {
        '(array: Array<T>, from: Number, until: Number): Array<T>': (
          items: Value[],
          from: Numeric,
          until: Numeric,
        ) => items.slice(count(from), count(until)),
      },
    ),
    nullable(
      'splitAt',
      'The items before a place and those from it on, as {l, r}.',
      [['[1, 2, 3] splitAt 1', '{"l": [1], "r": [2, 3]}']],
      {
        '(array: Array<T>, n: Number): Object': (items: Value[], n: Numeric) => split(items, count(n)),
      },
    ),
    nullable(
      'splitWhere',
      'The items before the first that fulfils the condition and the rest, as {l, r}.',
      [['[1, 2, 3] splitWhere ($ > 1)', '{"l": [1], "r": [2, 3]}']],
      {
        [`${TEST}: Object`]: (items: Value[], test: Callback) => {
          const index = items.findIndex((item) => passes(test(item), 'splitWhere'));
          return split(items, index < 0 ? items.length : index);
        },
      },
    ),
    nullable(
      'sumBy',
      'The sum of what the function gives for each item.',
      [['[{a: 0.1}, {a: 0.2}] sumBy $.a', '0.3']],
      {
        '(array: Array<T>, numberSelector: (T) -> Number): Number': (items: Value[], by: Callback) =>
          items.reduce<Numeric>((sum, item) => add(sum, numberItem(by(item), 'sumBy')), 0),
      },
    ),
    nullable('take', 'The first items.', [['[1, 2, 3] take 2', '[1, 2]']], {
      '(array: Array<T>, n: Number): Array<T>': (items: Value[], n: Numeric) => items.slice(0, count(n)),
    }),
    nullable(
      'takeWhile',
      'The first items as long as they fulfil the condition.',
      [['[1, 2, 1] takeWhile ($ < 2)', '[1]']],
      {
        [`${TEST}: Array<T>`]: (items: Value[], test: Callback) =>
          items.slice(0, whileHolds(items, test, 'takeWhile')),
      },
    ),
  ],
};
