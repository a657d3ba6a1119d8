import { formatFor } from '../formats/registry.js';
import { step } from '../runtime/machine.js';
import { truth } from '../runtime/operators.js';
import { equals } from '../values/equality.js';
import { kindOf } from '../values/kind.js';
import {
  bare,
  isObject,
  Key,
  keysOf,
  member,
  nameOf,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../values/objects.js';
import { Range } from '../values/range.js';
import { simpleType } from '../values/type-value.js';
import type { Value } from '../values/value.js';
import { fn, type LibraryModule } from './define.js';

interface Difference {
  expected: string;
  actual: string;
  path: string;
}

interface Entry {
  key: KeyLike;
  value: Value;
  /** Which of the entries of this key. */
  turn: number;
  id: string;
}

const spelled = (key: KeyLike) =>
  key instanceof Key && key.namespace ? `${key.namespace.prefix}#${key.name}` : nameOf(key);
const uriOf = (key: KeyLike) => (key instanceof Key ? (key.namespace?.uri ?? '') : '');

function entriesOf(object: ObjectValue): Entry[] {
  const turns = new Map<string, number>();
  const values = valuesOf(object);
  return keysOf(object).map((key, i) => {
    const id = `${uriOf(key)}#${nameOf(key)}`;
    const turn = turns.get(id) ?? 0;
    turns.set(id, turn + 1);
    return { key, value: values[i] as Value, turn, id };
  });
}

const listOf = (value: Value): readonly Value[] | undefined =>
  value instanceof Range ? value.items() : Array.isArray(value) ? value : undefined;

const written = (value: Value) => String(formatFor('application/dw').write(bare(value), {})).trim();

/** Compares two values and writes down where they differ, in the wording of the peer language. */
class Comparison {
  readonly found: Difference[] = [];

  constructor(private readonly unordered: boolean) {}

  values(givenActual: Value, givenExpected: Value, path: string): void {
    step();
    const [actual, expected] = [bare(givenActual), bare(givenExpected)];
    if (isObject(actual) && isObject(expected)) return this.objects(actual, expected, path);
    const [items, wanted] = [listOf(actual), listOf(expected)];
    if (items && wanted) return this.lists(items, wanted, path);
    if (!equals(actual, expected)) this.add(written(expected), written(actual), path);
  }

  private lists(actual: readonly Value[], expected: readonly Value[], path: string): void {
    if (actual.length !== expected.length)
      return this.add(`Array size is ${expected.length}`, `was ${actual.length}`, path);
    for (const [i, item] of actual.entries()) this.values(item, expected[i] as Value, `${path}[${i}]`);
  }

  private objects(actual: ObjectValue, expected: ObjectValue, path: string): void {
    const [left, right] = [entriesOf(actual), entriesOf(expected)];
    if (left.length !== right.length)
      return this.add(`Object size is ${right.length}`, `was ${left.length}`, path);
    for (const [i, entry] of left.entries()) {
      const at = `${path}.${spelled(entry.key)}`;
      const same = ({ id, turn }: Entry) => id === entry.id && turn === entry.turn;
      const found = right.findIndex(same);
      const other = right[found];
      if (!other) this.add(`Entry ${at} with type ${kindOf(entry.value)}`, 'was not present in object.', at);
      else if (found !== i && !this.unordered)
        this.add(`Entry ${at} at index ${found}`, `was at index ${i}.`, at);
      else this.entries(entry, other, at);
    }
  }

  private entries(actual: Entry, expected: Entry, path: string): void {
    const [left, right] = [actual.key, expected.key].map((key) =>
      key instanceof Key ? (key.attributes ?? {}) : {},
    ) as [ObjectValue, ObjectValue];
    // Attributes have no order.
    if (keysOf(left).length + keysOf(right).length > 0) {
      const attributes = new Comparison(true);
      attributes.objects(left, right, `${path}.@`);
      this.found.push(...attributes.found);
    }
    this.values(actual.value, expected.value, path);
  }

  private add(expected: string, actual: string, path: string): void {
    this.found.push({ expected, actual, path });
  }
}

export const diff: LibraryModule = {
  name: 'dw::util::Diff',
  types: { Diff: simpleType('Object'), Difference: simpleType('Object') },
  functions: [
    fn(
      'diff',
      'Where two values differ, as {matches, diffs: [{expected, actual, path}]}.',
      [
        ['diff({a: [1]}, {a: [1]})', '{"matches": true, "diffs": []}'],
        [
          'diff({a: 1}, {a: 2})',
          '{"matches": false, "diffs": [{"expected": "2", "actual": "1", "path": "(root).a"}]}',
        ],
        ['diff({a: 1, b: 2}, {b: 2, a: 1}, {unordered: true}).matches', 'true'],
      ],
      {
        '(actual: Any, expected: Any, diffConfig: Object = {}, path: String = "(root)"): Object': (
          actual: Value,
          expected: Value,
          config?: ObjectValue,
          path?: string,
        ) => {
          const unordered = bare((config && member(config, 'unordered')) ?? null);
          const comparison = new Comparison(unordered !== null && truth(unordered, 'The option "unordered"'));
          comparison.values(actual, expected, path ?? '(root)');
          const { found } = comparison;
          return { matches: found.length === 0, diffs: found.map((one): Value => ({ ...one })) };
        },
      },
    ),
  ],
};
