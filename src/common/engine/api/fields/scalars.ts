import { limits, parseDuration } from '../options.js';
import type { JsonSchema } from '../workflow-directory.js';
import { asText, ref, wrong, type Extras, type Field } from './field.js';

interface Range extends Extras {
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ScalarInit<T> extends Extras {
  readonly kind: string;
  readonly sentence: string;
  /** Undefined: the field is required, and `blank` stands in for it after a problem. */
  readonly fallback: T | undefined;
  readonly blank: T;
  readonly schema: JsonSchema;
  readonly expected: string;
  readonly parse: (value: unknown) => T | undefined;
}

function scalar<T>(init: ScalarInit<T>): Field<T> {
  const { kind, sentence, schema, shorthand, parse } = init;
  const fallback = init.fallback === undefined ? init.blank : init.fallback;
  return {
    kind,
    sentence,
    required: init.fallback === undefined,
    fallback,
    schema,
    ...(shorthand ? { shorthand } : {}),
    read(source, reader) {
      const value = source.kind === 'scalar' ? parse(source.value) : undefined;
      if (value !== undefined) return value;
      wrong(reader, source, `This must be ${init.expected}.`);
      return fallback;
    },
  };
}

/** Text; required unless a fallback (null allowed) is given. */
export function text(sentence: string, fallback: null, extras?: Extras): Field<string | null>;
export function text(sentence: string, fallback?: string, extras?: Extras): Field<string>;
export function text(sentence: string, fallback?: string | null, extras: Extras = {}): Field<string | null> {
  return scalar<string | null>({
    ...extras,
    kind: 'text',
    sentence,
    fallback,
    blank: '',
    schema: { type: ['string', 'number', 'boolean'] },
    expected: 'text',
    parse: asText,
  });
}

/** A number written as one or as text, within its range; undefined where it is neither. */
function within(value: unknown, range: Range): number | undefined {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof given !== 'number' || !Number.isFinite(given)) return undefined;
  return given >= (range.minimum ?? -Infinity) && given <= (range.maximum ?? Infinity) ? given : undefined;
}

function bounds({ minimum, maximum }: Range): JsonSchema {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

/** A whole number; required unless a fallback (null allowed) is given. */
export function integer(sentence: string, fallback: null, range?: Range): Field<number | null>;
export function integer(sentence: string, fallback?: number, range?: Range): Field<number>;
export function integer(sentence: string, fallback?: number | null, range: Range = {}): Field<number | null> {
  return scalar<number | null>({
    ...(range.shorthand ? { shorthand: true } : {}),
    kind: 'integer',
    sentence,
    fallback,
    blank: 0,
    schema: { type: 'integer', ...bounds(range) },
    expected: `a whole number${limits(range)}`,
    parse: (value) => {
      const found = within(value, range);
      return Number.isSafeInteger(found) ? found : undefined;
    },
  });
}

/** A number, fractions allowed; required unless a fallback is given. */
export function number(sentence: string, fallback?: number, range: Range = {}): Field<number> {
  return scalar({
    ...(range.shorthand ? { shorthand: true } : {}),
    kind: 'number',
    sentence,
    fallback,
    blank: 0,
    schema: { type: 'number', ...bounds(range) },
    expected: `a number${limits(range)}`,
    parse: (value) => within(value, range),
  });
}

/** Milliseconds; required unless a fallback (null allowed) is given. */
export function duration(sentence: string, fallback: null, extras?: Extras): Field<number | null>;
export function duration(sentence: string, fallback?: number, extras?: Extras): Field<number>;
export function duration(
  sentence: string,
  fallback?: number | null,
  extras: Extras = {},
): Field<number | null> {
  return scalar<number | null>({
    ...extras,
    kind: 'duration',
    sentence,
    fallback,
    blank: 0,
    schema: ref('duration'),
    expected: 'a time span such as 500ms, 30s, 5m, 2h or 1d',
    parse: (value) => parseDuration(value) ?? undefined,
  });
}

export function flag(sentence: string, fallback = false): Field<boolean> {
  const words = new Map<unknown, boolean>([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
  ]);
  return scalar({
    kind: 'flag',
    sentence,
    fallback,
    blank: false,
    schema: { type: 'boolean' },
    expected: 'true or false',
    parse: (value) => words.get(value),
  });
}

/** One of a few words. */
export function choice<const V extends string>(
  sentence: string,
  values: readonly V[],
  fallback: V,
): Field<V> {
  return scalar<V>({
    kind: 'choice',
    sentence,
    fallback,
    blank: fallback,
    schema: { type: 'string', enum: values },
    expected: `one of ${values.join(', ')}`,
    parse: (value) => values.find((known) => known === value),
  });
}
