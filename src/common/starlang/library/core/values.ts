import { randomUUID } from 'node:crypto';
import { fn, type Callback } from '../define.js';
import { machine } from '../../runtime/machine.js';
import { Binary } from '../../values/atoms.js';
import { kindOf } from '../../values/kind.js';
import { bare, sizeOfObject, type ObjectValue } from '../../values/objects.js';
import { preview } from '../../values/text.js';
import { simpleType } from '../../values/type-value.js';
import type { Value } from '../../values/value.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

function logged(level: Level, prefix: string, value: Value): Value {
  machine.env.log?.(
    level,
    prefix ? `${prefix} - ${preview(value, 2000)}` : preview(value, 2000),
    bare(value),
  );
  return value;
}

const logFn = (name: string, level: Level) =>
  fn(name, `Writes the value to the log (${level}) and gives it back.`, [[`${name}("seen", 1)`, '1']], {
    '(prefix: String = "", value: T): T': (prefix: string | undefined, value: Value) =>
      logged(level, prefix ?? '', value),
  });

export const values = [
  fn(
    'sizeOf',
    'The number of items, pairs, characters or bytes.',
    [
      ['sizeOf([1, 2])', '2'],
      ['sizeOf({a: 1})', '1'],
      ['sizeOf("abc")', '3'],
    ],
    {
      '(array: Array<Any>): Number': (items: Value[]) => items.length,
      '(object: Object): Number': sizeOfObject,
      '(binary: Binary): Number': (binary: Binary) => binary.bytes.length,
      '(text: String): Number': (text: string) => text.length,
      '(n: Null): Null': () => null,
    },
  ),
  fn(
    'isEmpty',
    'Is there nothing in it? Null is empty too.',
    [
      ['isEmpty([])', 'true'],
      ['isEmpty("a")', 'false'],
      ['isEmpty(null)', 'true'],
    ],
    {
      '(elements: Array<Any>): Boolean': (items: Value[]) => items.length === 0,
      '(value: String): Boolean': (text: string) => text === '',
      '(value: Object): Boolean': (object: ObjectValue) => sizeOfObject(object) === 0,
      '(value: Null): Boolean': () => true,
    },
  ),
  fn(
    'typeOf',
    'The type of a value.',
    [
      ['typeOf("a")', '"String"'],
      ['typeOf(1) == Number', 'true'],
    ],
    {
      '(value: Any): Type': (value: Value) => simpleType(kindOf(value)),
    },
  ),
  fn(
    'onNull',
    'The value, or what the function gives when it is null.',
    [
      ['null onNull 4', '4'],
      ['1 onNull 4', '1'],
    ],
    {
      '(previous: Null, callback: () -> R): R': (_: null, callback: Callback) => callback(),
      '(previous: Any, callback: () -> Any): T': (value: Value) => value,
    },
  ),
  fn(
    'then',
    'What the function makes of the value; null stays null.',
    [
      ['1 then ($ + 1)', '2'],
      ['null then ($ + 1)', 'null'],
    ],
    {
      '(value: Null, callback: (previousResult: Nothing) -> Any): Null': () => null,
      '(previous: Any, callback: (result: T) -> R): R': (value: Value, callback: Callback) => callback(value),
    },
  ),
  fn('uuid', 'A new random identifier.', [['sizeOf(uuid())', '36']], {
    '(): String': () => machine.env.uuid?.() ?? randomUUID(),
  }),
  logFn('log', 'info'),
  logFn('logDebug', 'debug'),
  logFn('logInfo', 'info'),
  logFn('logWarn', 'warn'),
  logFn('logError', 'error'),
  fn(
    'logWith',
    'Writes the value to the log at a level and gives it back.',
    [['logWith("Info", "seen", 1)', '1']],
    {
      '(level: String, prefix: String, value: T): T': (level: string, prefix: string, value: Value) =>
        logged(
          (['debug', 'info', 'warn', 'error'] as const).find((one) => one === level.toLowerCase()) ?? 'info',
          prefix,
          value,
        ),
    },
  ),
];
