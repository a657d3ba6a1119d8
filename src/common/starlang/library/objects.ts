import type { Numeric } from '../numbers/decimal.js';
import { typeFault } from '../errors/fault.js';
import {
  bare,
  keysOf,
  nameOf,
  objectFrom,
  ObjectBuilder,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../values/objects.js';
import type { Value } from '../values/value.js';
import { passes, whole } from './arguments.js';
import { nullable, type Callback, type LibraryModule } from './define.js';

type Pair = readonly [Value, KeyLike];

const pairsOf = (object: ObjectValue): Pair[] => {
  const values = valuesOf(object);
  return keysOf(object).map((key, i) => [values[i] as Value, key] as const);
};

const fromPairs = (pairs: readonly Pair[]) =>
  objectFrom(
    pairs.map(([, key]) => key),
    pairs.map(([value]) => value),
  );

function chunks(object: ObjectValue, amount: Numeric): Value[] {
  const size = whole(amount, 'The size of the parts');
  if (size < 1) throw typeFault(`The size of the parts must be at least 1, not ${size}`);
  const pairs = pairsOf(object);
  return Array.from({ length: Math.ceil(pairs.length / size) }, (_, i) =>
    fromPairs(pairs.slice(i * size, (i + 1) * size)),
  );
}

/** Keys of both: those of the target replace the same ones of the source. */
function merged(source: ObjectValue, target: ObjectValue): ObjectValue {
  const replaced = new Set(keysOf(target).map(nameOf));
  const builder = new ObjectBuilder();
  for (const [value, key] of pairsOf(source)) if (!replaced.has(nameOf(key))) builder.add(key, value);
  return builder.addAll(target).done();
}

const TEST = '(object: Object, condition: (value: Any, key: Key) -> Boolean)';

export const objects: LibraryModule = {
  name: 'dw::core::Objects',
  functions: [
    nullable(
      'divideBy',
      'The pairs in objects of a size.',
      [['{a: 1, b: 2, c: 3} divideBy 2', '[{"a": 1, "b": 2}, {"c": 3}]']],
      { '(items: Object, amount: Number): Array<Object>': chunks },
    ),
    nullable(
      'entrySet',
      'The pairs as {key, value, attributes}.',
      [['entrySet({a: 1})', '[{"key": "a", "value": 1, "attributes": {}}]']],
      {
        '(obj: Object): Array<Object>': (object: ObjectValue) =>
          pairsOf(object).map(([value, key]): Value => ({
            key,
            value: bare(value),
            attributes: (typeof key === 'string' ? undefined : key.attributes) ?? {},
          })),
      },
    ),
    nullable('keySet', 'The keys, each with its attributes and namespace.', [['keySet({a: 1})', '["a"]']], {
      '(obj: Object): Array<K>': (object: ObjectValue) => [...keysOf(object)],
    }),
    nullable('nameSet', 'The names of the keys as texts.', [['nameSet({a: 1})', '["a"]']], {
      '(obj: Object): Array<String>': (object: ObjectValue) => keysOf(object).map(nameOf),
    }),
    nullable('valueSet', 'The values.', [['valueSet({a: 1})', '[1]']], {
      '(obj: Object): Array<V>': (object: ObjectValue) => [...valuesOf(object)],
    }),
    nullable(
      'everyEntry',
      'Do all pairs fulfil the condition?',
      [['{a: 1} everyEntry ($ > 0)', 'true']],
      {
        [`${TEST}: Boolean`]: (object: ObjectValue, test: Callback) =>
          pairsOf(object).every(([value, key]) => passes(test(value, key), 'everyEntry')),
      },
      true,
    ),
    nullable(
      'someEntry',
      'Does any pair fulfil the condition?',
      [['{a: 1} someEntry ($$ as String == "a")', 'true']],
      {
        [`${TEST}: Boolean`]: (object: ObjectValue, test: Callback) =>
          pairsOf(object).some(([value, key]) => passes(test(value, key), 'someEntry')),
      },
      false,
    ),
    nullable(
      'takeWhile',
      'The first pairs as long as they fulfil the condition.',
      [['{a: 1, b: 2} takeWhile ($ < 2)', '{"a": 1}']],
      {
        [`${TEST}: Object`]: (object: ObjectValue, test: Callback) => {
          const pairs = pairsOf(object);
          const index = pairs.findIndex(([value, key]) => !passes(test(value, key), 'takeWhile'));
          return fromPairs(index < 0 ? pairs : pairs.slice(0, index));
        },
      },
    ),
    nullable(
      'mergeWith',
      'Both objects in one; the right replaces equal keys of the left.',
      [
        ['{a: 1, b: 2} mergeWith {a: 3}', '{"b": 2, "a": 3}'],
        ['null mergeWith {a: 1}', '{"a": 1}'],
      ],
      {
        '(source: Object, target: Object): Object': merged,
        '(source: Null, target: Object): Object': (_: null, target: ObjectValue) => target,
        '(source: Object, target: Null): Object': (source: ObjectValue) => source,
      },
    ),
  ],
};
