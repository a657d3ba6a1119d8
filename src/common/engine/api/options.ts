import { HelixError } from '../errors/helix-error.js';
import type { EndpointUri } from '../model/endpoint-uri.js';

/**
 * Options are data: one row per option gives parsing, refusal of the unknown, the JSON Schema, the catalogue and the
 * docs. Rows are made by the functions below, so that `readOptions` can type its result.
 */
export interface Option<T> {
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'duration' | 'enum' | 'list' | 'map';
  readonly sentence: string;
  readonly fallback: T;
  readonly required: boolean;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly secret?: boolean;
  read(value: unknown, name: string): T;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V> ? V : never;
};

interface Extras {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly secret?: boolean;
}

const wrong = (name: string, expected: string): HelixError =>
  new HelixError('WORKSPACE.WRONG_OPTION', `The option "${name}" must be ${expected}.`, {
    details: { option: name },
  });

function make<T>(
  kind: Option<T>['kind'],
  sentence: string,
  fallback: T,
  read: Option<T>['read'],
  extras: Partial<Option<T>> = {},
): Option<T> {
  return { kind, sentence, fallback, required: false, read, ...extras };
}

const readText = (value: unknown, name: string): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw wrong(name, 'text');
};

/** Text, absent as null unless a default is given. */
export function text(sentence: string, fallback: string, extras?: Extras): Option<string>;
export function text(sentence: string, fallback?: null, extras?: Extras): Option<string | null>;
export function text(
  sentence: string,
  fallback: string | null = null,
  extras: Extras = {},
): Option<string | null> {
  return make<string | null>('string', sentence, fallback, readText, extras);
}

/** The words for a range, put behind "a whole number". */
export function limits({
  minimum,
  maximum,
}: {
  readonly minimum?: number;
  readonly maximum?: number;
}): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return `${minimum === undefined ? '' : ` of at least ${minimum}`}${maximum === undefined ? '' : ` of at most ${maximum}`}`;
}

function numeric(
  kind: 'integer' | 'number',
  sentence: string,
  fallback: number | null,
  extras: Extras,
): Option<number | null> {
  return make<number | null>(
    kind,
    sentence,
    fallback,
    (value, name) => {
      const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      const fits =
        typeof given === 'number' &&
        Number.isFinite(given) &&
        (kind === 'number' || Number.isSafeInteger(given)) &&
        given >= (extras.minimum ?? -Infinity) &&
        given <= (extras.maximum ?? Infinity);
      if (fits) return given;
      throw wrong(name, `${kind === 'integer' ? 'a whole number' : 'a number'}${limits(extras)}`);
    },
    extras,
  );
}

export function integer(sentence: string, fallback: number, extras?: Extras): Option<number>;
export function integer(sentence: string, fallback?: null, extras?: Extras): Option<number | null>;
export function integer(
  sentence: string,
  fallback: number | null = null,
  extras: Extras = {},
): Option<number | null> {
  return numeric('integer', sentence, fallback, extras);
}

export function flag(sentence: string, fallback = false): Option<boolean> {
  return make('boolean', sentence, fallback, (value, name) => {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw wrong(name, 'true or false');
  });
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `500`, `500ms`, `30s`, `5m`, `2h`, `1d`; null where the text is none of these. */
export function parseDuration(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  const match = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(value.trim()) : null;
  return match ? Number(match[1]) * (unitMs[match[2] ?? 'ms'] ?? 1) : null;
}

/** A time span in milliseconds. */
export function duration(sentence: string, fallback: number): Option<number>;
export function duration(sentence: string, fallback?: null): Option<number | null>;
export function duration(sentence: string, fallback: number | null = null): Option<number | null> {
  return make<number | null>('duration', sentence, fallback, (value, name) => {
    const ms = parseDuration(value);
    if (ms === null) throw wrong(name, 'a time span such as 500ms, 30s, 5m, 2h or 1d');
    return ms;
  });
}

export function choice<const V extends string>(
  sentence: string,
  values: readonly V[],
  fallback: V,
): Option<V>;
export function choice<const V extends string>(
  sentence: string,
  values: readonly V[],
  fallback?: null,
): Option<V | null>;
export function choice(
  sentence: string,
  values: readonly string[],
  fallback: string | null = null,
): Option<string | null> {
  return make<string | null>(
    'enum',
    sentence,
    fallback,
    (value, name) => {
      const given = readText(value, name);
      if (values.includes(given)) return given;
      throw wrong(name, `one of ${values.join(', ')}`);
    },
    { values },
  );
}

/** Comma-separated in a URI, a list in YAML. Blank items are dropped. */
export function list(sentence: string, extras: Extras = {}): Option<readonly string[]> {
  return make<readonly string[]>(
    'list',
    sentence,
    [],
    (value, name) => {
      const items = Array.isArray(value)
        ? value.map((item) => readText(item, name))
        : readText(value, name).split(',');
      return items.map((item) => item.trim()).filter((item) => item !== '');
    },
    extras,
  );
}

/** Names with text: a map in YAML, a JSON object in a URI. */
export function map(sentence: string, extras: Extras = {}): Option<Readonly<Record<string, string>>> {
  return make<Readonly<Record<string, string>>>(
    'map',
    sentence,
    {},
    (value, name) => {
      const given = typeof value === 'string' ? parseObject(value) : value;
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        throw wrong(name, 'a map from name to text, written as JSON where it stands in the URI');
      }
      return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, readText(item, name)]));
    },
    extras,
  );
}

function parseObject(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

/**
 * The typed options of a URI.
 * @throws HelixError `WORKSPACE.UNKNOWN_OPTION` (with a suggestion where one is close) or `WORKSPACE.WRONG_OPTION`;
 *   where several options are wrong, {@link errorsIn} has each
 */
export function readOptions<T extends OptionTable>(uri: EndpointUri, table: T): OptionValues<T> {
  const known = Object.keys(table);
  const errors = [...uri.options.keys()]
    .filter((name) => !Object.hasOwn(table, name))
    .map((name) => unknownOption(uri.scheme, name, known));
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(table)) {
    try {
      if (!uri.options.has(name) && option.required) throw wrong(name, 'given');
      values[name] = uri.options.has(name) ? option.read(uri.options.get(name), name) : option.fallback;
    } catch (thrown) {
      errors.push(HelixError.from(thrown));
    }
  }
  const [first] = errors;
  if (first === undefined) return values as OptionValues<T>;
  throw errors.length === 1 ? first : new WrongOptions(first, errors);
}

/** Several options of one URI that are wrong, told at once. */
class WrongOptions extends HelixError {
  constructor(
    first: HelixError,
    readonly errors: readonly HelixError[],
  ) {
    super(first.code, errors.map(({ message }) => message).join(' '), { details: first.details });
  }
}

/** The mistakes that an error tells of; itself where it is one. */
export function errorsIn(error: HelixError): readonly HelixError[] {
  return error instanceof WrongOptions ? error.errors : [error];
}

function unknownOption(scheme: string, name: string, known: readonly string[]): HelixError {
  const suggestion = closest(name, known);
  const knows = known.length > 0 ? `; it knows ${known.join(', ')}.` : '; it takes none.';
  return new HelixError(
    'WORKSPACE.UNKNOWN_OPTION',
    `${scheme}:// has no option "${name}"${suggestion === undefined ? knows : `; did you mean "${suggestion}"?`}`,
    { details: { option: name, suggestion } },
  );
}

/**
 * The known name nearest to a misspelt one: beginning alike, or at most two edits or a third of its length away; or
 * undefined.
 */
export function closest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const [given, wanted] = [name.toLowerCase(), candidate.toLowerCase()];
    const distance = beginAlike(given, wanted) ? Math.min(2, edits(given, wanted)) : edits(given, wanted);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Optimal string alignment: insertions, deletions, substitutions, and neighbours that changed places. */
/** `params` for `parameters`: the greater part of a name of some length is there. */
function beginAlike(given: string, wanted: string): boolean {
  let same = 0;
  while (same < given.length && given[same] === wanted[same]) same++;
  return same >= 4 && same >= (given.length * 2) / 3;
}

function edits(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (beforePrevious[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution, swap));
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length] ?? 0;
}
