import { passes } from '../arguments.js';
import { fn, type Callback } from '../define.js';
import { step } from '../../runtime/machine.js';
import { equals } from '../../values/equality.js';
import { typeFault } from '../../errors/fault.js';
import {
  bare,
  isObject,
  Key,
  keysOf,
  nameOf,
  Namespace,
  objectFrom,
  ObjectBuilder,
  valuesOf,
  type KeyLike,
  type ObjectValue,
} from '../../values/objects.js';
import { textOf } from '../../values/text.js';
import type { Value } from '../../values/value.js';
import { Temporal } from '../../dates/temporal.js';
import { Zone } from '../../dates/zone.js';
import { charge, checkCollectionSize, join, steps } from '../../runtime/machine.js';
import { kindOf } from '../../values/kind.js';

const nothing = () => null;
const XSI = new Namespace('xsi', 'http://www.w3.org/2001/XMLSchema-instance');

function eachPair(object: ObjectValue, visit: (value: Value, key: KeyLike, index: number) => void): void {
  const [keys, values] = [keysOf(object), valuesOf(object)];
  for (let i = 0; i < keys.length; i++) {
    step();
    visit(values[i] as Value, keys[i] as KeyLike, i);
  }
}

/** What a mapObject function gave, into the new object. */
export function addMapped(builder: ObjectBuilder, given: Value): void {
  const made = bare(given);
  if (made === null) return;
  if (!isObject(made))
    throw typeFault(`The function of mapObject must give an Object but gave ${kindOf(made)}`);
  builder.addAll(made);
}

function without(object: ObjectValue, drop: (key: KeyLike, value: Value) => boolean): ObjectValue {
  const builder = new ObjectBuilder();
  eachPair(object, (value, key) => !drop(key, value) && builder.add(key, value));
  return builder.done();
}

const concatenated = (a: Value[], b: Value[]): Value[] => {
  checkCollectionSize(a.length + b.length);
  steps((a.length + b.length) >> 3);
  // Lists grow item by item, and then the left one is hardly ever kept.
  charge(a.length * 2 + b.length * 8);
  return [...a, ...b];
};

const joined = (a: string, b: string): string => {
  join(a.length + b.length, Math.max(a.length, b.length));
  return a + b;
};

const zoned = (day: Temporal, time: Temporal, zone: Zone | undefined) =>
  zone ? Temporal.dateTime(day.day, time.nanos, zone) : Temporal.localDateTime(day.day, time.nanos);

export const objects = [
  fn(
    'mapObject',
    'The object of the pairs the function gives for each pair.',
    [['{a: 1} mapObject {($$): $ + 1}', '{"a": 2}']],
    {
      '(object: Object, mapper: (value: V, key: K, index: Number) -> Object): Object': (
        object: ObjectValue,
        mapper: Callback,
      ) => {
        const builder = new ObjectBuilder();
        eachPair(object, (value, key, i) => addMapped(builder, mapper(value, key, i)));
        return builder.done();
      },
      '(value: Null, mapper: (value: Nothing, key: Nothing, index: Nothing) -> Any): Null': nothing,
    },
  ),
  fn(
    'filterObject',
    'The pairs for which the condition holds.',
    [['{a: 1, b: 2} filterObject ($ > 1)', '{"b": 2}']],
    {
      '(value: Object, criteria: (value: V, key: K, index: Number) -> Boolean): Object': (
        object: ObjectValue,
        criteria: Callback,
      ) => {
        const builder = new ObjectBuilder();
        eachPair(
          object,
          (value, key, i) => passes(criteria(value, key, i), 'filterObject') && builder.add(key, value),
        );
        return builder.done();
      },
      '(value: Null, criteria: (value: Nothing, key: Nothing, index: Nothing) -> Any): Null': nothing,
    },
  ),
  fn(
    'pluck',
    'The array of what the function gives for each pair of an object.',
    [['{a: 1} pluck ($$ ++ $)', '["a1"]']],
    {
      '(object: Object, mapper: (value: V, key: K, index: Number) -> R): Array<R>': (
        object: ObjectValue,
        mapper: Callback,
      ) => {
        const out: Value[] = [];
        eachPair(object, (value, key, i) => out.push(mapper(value, key, i)));
        return out;
      },
      '(value: Null, mapper: (value: Nothing, key: Nothing, index: Nothing) -> Any): Null': nothing,
    },
  ),
  fn(
    'keysOf',
    'The keys of an object, with their attributes and namespaces.',
    [['keysOf({a: 1, b: 2})', '["a", "b"]']],
    {
      '(obj: Object): Array<K>': (object: ObjectValue) => [...keysOf(object)],
      '(obj: Null): Null': nothing,
    },
  ),
  fn('namesOf', 'The names of the keys of an object as texts.', [['namesOf({a: 1})', '["a"]']], {
    '(obj: Object): Array<String>': (object: ObjectValue) => keysOf(object).map(nameOf),
    '(obj: Null): Null': nothing,
  }),
  fn('valuesOf', 'The values of an object.', [['valuesOf({a: 1, b: 2})', '[1, 2]']], {
    '(obj: Object): Array<V>': (object: ObjectValue) => [...valuesOf(object)],
    '(obj: Null): Null': nothing,
  }),
  fn(
    'entriesOf',
    'The pairs of an object as {key, value, attributes}.',
    [['entriesOf({a: 1})', '[{"key": "a", "value": 1, "attributes": {}}]']],
    {
      '(obj: Object): Array<Object>': (object: ObjectValue) => {
        const out: Value[] = [];
        eachPair(object, (value, key) =>
          out.push({
            key,
            value: bare(value),
            attributes: (typeof key === 'string' ? undefined : key.attributes) ?? {},
          }),
        );
        return out;
      },
      '(obj: Null): Null': nothing,
    },
  ),
  fn(
    '++',
    'Joins two arrays, texts or objects, or puts a date, a time and a zone together.',
    [
      ['[1] ++ [2]', '[1, 2]'],
      ['"a" ++ "b"', '"ab"'],
      ['{a: 1} ++ {b: 2}', '{"a": 1, "b": 2}'],
      ['|2024-05-01| ++ |10:00:00|', '"2024-05-01T10:00:00"'],
    ],
    {
      '(source: Array<S>, with: Array<T>): Array<S | T>': concatenated,
      '(source: String, with: String): String': joined,
      '(source: Object, with: Object): Object': (a: ObjectValue, b: ObjectValue) =>
        new ObjectBuilder().addAll(a).addAll(b).done(),
      '(date: Date, time: LocalTime): LocalDateTime': (a: Temporal, b: Temporal) => zoned(a, b, undefined),
      '(time: LocalTime, date: Date): LocalDateTime': (a: Temporal, b: Temporal) => zoned(b, a, undefined),
      '(date: Date, time: Time): DateTime': (a: Temporal, b: Temporal) => zoned(a, b, b.zone),
      '(time: Time, date: Date): DateTime': (a: Temporal, b: Temporal) => zoned(b, a, a.zone),
      '(date: Date, timezone: TimeZone): DateTime': (a: Temporal, zone: Zone) => zoned(a, a, zone),
      '(timezone: TimeZone, date: Date): DateTime': (zone: Zone, a: Temporal) => zoned(a, a, zone),
      '(dateTime: LocalDateTime, timezone: TimeZone): DateTime': (a: Temporal, zone: Zone) =>
        zoned(a, a, zone),
      '(timezone: TimeZone, datetime: LocalDateTime): DateTime': (zone: Zone, a: Temporal) =>
        zoned(a, a, zone),
      '(time: LocalTime, timezone: TimeZone): Time': (a: Temporal, zone: Zone) =>
        Temporal.time(a.nanos, zone),
      '(timezone: TimeZone, time: LocalTime): Time': (zone: Zone, a: Temporal) =>
        Temporal.time(a.nanos, zone),
    },
  ),
  fn(
    '--',
    'Removes items from an array, or keys or pairs from an object.',
    [
      ['[1, 2, 1] -- [1]', '[2]'],
      ['{a: 1, b: 2} -- ["a"]', '{"b": 2}'],
      ['{a: 1, b: 2} -- {a: 1}', '{"b": 2}'],
    ],
    {
      '(source: Array<S>, toRemove: Array<Any>): Array<S>': (items: Value[], gone: Value[]) =>
        items.filter((item) => !gone.some((one) => (step(), equals(item, one)))),
      '(source: Object, toRemove: Object): Object': (object: ObjectValue, gone: ObjectValue) => {
        const [keys, values] = [keysOf(gone).map(nameOf), valuesOf(gone)];
        return without(object, (key, value) =>
          keys.some((name, i) => name === nameOf(key) && equals(values[i] as Value, value)),
        );
      },
      '(source: Object, keys: Array<String>): Object': (object: ObjectValue, names: Value[]) => {
        const gone = new Set(names.map((name) => textOf(name)));
        return without(object, (key) => gone.has(nameOf(key)));
      },
      '(source: Null, keys: Any): Null': nothing,
    },
  ),
  fn(
    'xsiType',
    'The attribute that names the type of an XML element.',
    [['sizeOf(xsiType("user", {prefix: "a", uri: "http://a"} as Namespace))', '1']],
    {
      '(name: String, namespace: Namespace): Object': (name: string, namespace: Namespace) =>
        objectFrom([new Key('type', XSI)], [new Key(name, namespace)]),
    },
  ),
];
