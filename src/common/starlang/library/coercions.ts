import { coercionFault, Fault } from '../errors/fault.js';
import { coerceTo } from '../values/coerce.js';
import type { CoerceOptions } from '../values/coerce-options.js';
import { bare, isObject, keysOf, nameOf, valuesOf } from '../values/objects.js';
import { withOptions } from '../runtime/metadata.js';
import { charactersOf, preview, requireText, textOf } from '../values/text.js';
import type { Binary } from '../values/atoms.js';
import type { Value } from '../values/value.js';
import type { Numeric } from '../numbers/decimal.js';
import { fn, type LibraryFunction, type LibraryModule, type Native } from './define.js';

/** One format or several, of which the first that fits is used. */
function formatsOf(given: Value | undefined): CoerceOptions[] {
  const value = bare(given ?? null);
  if (!Array.isArray(value)) return [value === null ? {} : { format: value }];
  return value.map((item): CoerceOptions => {
    const one = bare(item);
    if (!isObject(one)) return { format: one };
    const values = valuesOf(one);
    return Object.fromEntries(keysOf(one).map((key, i) => [nameOf(key), values[i] as Value]));
  });
}

function attempt(value: Value, type: string, given: Value | undefined, locale: string | undefined): Value {
  const isList = Array.isArray(bare(given ?? null));
  for (const own of formatsOf(given)) {
    const options = { ...own, locale: own.locale ?? locale ?? null };
    try {
      return withOptions(coerceTo(bare(value), type, options), options);
    } catch (error) {
      // A list of formats fails as a whole; one format says itself what does not fit.
      if (!(error instanceof Fault) || !isList) throw error;
    }
  }
  throw coercionFault(`Could not find a valid formatter for '${textOf(value) ?? preview(value)}'`);
}

const SECOND = 'format: Any = null, locale: String = null';

function temporal(name: string, type: string, expr: string, result: string): LibraryFunction {
  const natives: Record<string, Native> = {
    [`(value: Any, ${SECOND}): ${type}`]: (value: Value, format?: Value, locale?: string) =>
      typeof bare(value) === 'number'
        ? withOptions(coerceTo(bare(value), type, { unit: format ?? null }), { unit: format ?? null })
        : attempt(value, type, format, locale),
  };
  return fn(name, `The value as a ${type}, read by a format when one is given.`, [[expr, result]], natives);
}

const simple = (name: string, type: string, expr: string, result: string) =>
  fn(name, `The value as a ${type}.`, [[expr, result]], {
    [`(value: Any): ${type}`]: (value: Value) => coerceTo(bare(value), type),
  });

const functions: readonly LibraryFunction[] = [
  fn(
    'toArray',
    'The characters of a text or the items of anything that has some.',
    [['toArray("abc")', '["a", "b", "c"]']],
    {
      '(text: String): Array<String>': (text: string) => charactersOf(text),
      '(value: Any): Array': (value: Value) => coerceTo(bare(value), 'Array'),
    },
  ),
  fn('toBinary', 'The bytes of a text in an encoding.', [['toBinary("hi", "UTF-8")', '"hi"']], {
    '(value: Any, encoding: String = "UTF-8"): Binary': (value: Value, encoding?: string) =>
      coerceTo(bare(value), 'Binary', { encoding: encoding ?? 'UTF-8' }),
  }),
  simple('toBoolean', 'Boolean', 'toBoolean("true")', 'true'),
  temporal('toDate', 'Date', 'toDate("06/05/2024", "dd/MM/yyyy") == |2024-05-06|', 'true'),
  temporal('toDateTime', 'DateTime', 'toDateTime(0)', '"1970-01-01T00:00:00Z"'),
  temporal(
    'toLocalDateTime',
    'LocalDateTime',
    'toLocalDateTime("2024-05-06T01:02:03")',
    '"2024-05-06T01:02:03"',
  ),
  temporal('toLocalTime', 'LocalTime', 'toLocalTime("01:02", "HH:mm") == |01:02:00|', 'true'),
  temporal('toTime', 'Time', 'toTime("01:02:03Z")', '"01:02:03Z"'),
  fn(
    'toNumber',
    'The value as a Number: a text by a format, a date or period in a unit.',
    [
      ['toNumber("1,234.5", "#,##0.0")', '1234.5'],
      ['toNumber(|1970-01-01T00:00:01Z|, "milliseconds")', '1000'],
    ],
    {
      '(value: String, format: Any = null, locale: String = null): Number': (
        text: string,
        format?: Value,
        locale?: string,
      ) => attempt(text, 'Number', format, locale),
      '(value: Any, unit: String = null): Number': (value: Value, unit?: string) =>
        coerceTo(bare(value), 'Number', { unit: unit ?? null }),
    },
  ),
  simple('toPeriod', 'Period', 'toPeriod("P1D")', '"P1D"'),
  simple('toRegex', 'Regex', '"a1" matches toRegex("a\\\\d")', 'true'),
  fn(
    'toString',
    'The value as a text, in a format when one is given.',
    [
      ['toString(1234.5, "#,##0.00")', '"1,234.50"'],
      ['toString(["a", "b"])', '"ab"'],
    ],
    {
      '(items: Array<String>): String': (items: Value[]) => items.map(requireText).join(''),
      '(value: Binary, encoding: String): String': (value: Binary, encoding: string) =>
        coerceTo(value, 'String', { encoding }),
      '(value: Number, format: Any = null, locale: Any = null, roundMode: Any = null): String': (
        value: Numeric,
        format?: string,
        locale?: string,
        roundMode?: string,
      ) =>
        coerceTo(value, 'String', {
          ...(format ? { format } : {}),
          locale: locale ?? null,
          roundMode: roundMode ?? 'HALF_UP',
        }),
      '(value: Any, format: Any = null, locale: Any = null): String': (
        value: Value,
        format?: string,
        locale?: string,
      ) => coerceTo(bare(value), 'String', { ...(format ? { format } : {}), locale: locale ?? null }),
    },
  ),
  simple('toTimeZone', 'TimeZone', 'toTimeZone("-03:00")', '"-03:00"'),
  simple('toUri', 'Uri', 'toUri("http://a")', '"http://a"'),
];

/** `toNumberOrNull` and the like: null where the plain function fails. */
function orNull(plain: LibraryFunction): LibraryFunction {
  const natives = Object.fromEntries(
    plain.overloads.map((overload) => [
      overload.text,
      (...args: Value[]) => {
        try {
          return overload.run(...args);
        } catch (error) {
          if (error instanceof Fault && error.kind === 'coercion') return null;
          throw error;
        }
      },
    ]),
  );
  return fn(
    `${plain.name}OrNull`,
    `As ${plain.name}, and null when that is not possible.`,
    [[`${plain.name}OrNull(null)`, 'null']],
    natives,
  );
}

const FAILING = [
  'toBoolean',
  'toDate',
  'toDateTime',
  'toLocalDateTime',
  'toLocalTime',
  'toTime',
  'toNumber',
  'toPeriod',
  'toRegex',
  'toTimeZone',
  'toUri',
];

export const coercions: LibraryModule = {
  name: 'dw::util::Coercions',
  functions: [...functions, ...functions.filter(({ name }) => FAILING.includes(name)).map(orNull)],
};
