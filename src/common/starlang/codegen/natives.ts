import type { LibraryFunction, Overload } from '../library/define.js';
import { overloadTaking } from '../runtime/dispatch.js';
import type { TypeValue } from '../values/type-value.js';
import type { Value } from '../values/value.js';
import type { Atom } from './writer.js';

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'anything';

/** One of each kind an argument may be told to be of; overloads do not look further than that. */
const SAMPLES: Readonly<Record<Exclude<Kind, 'anything'>, Value>> = {
  string: '',
  number: 0,
  boolean: true,
  array: [],
};
const ALL: readonly Value[] = ['', 0, true, null, [], {}];
const MOST = 2;

/**
 * Overloads that can be called straight away once the kinds of the arguments are known, each with the
 * test for that. Chosen by asking the dispatcher, so that it stays the only one who decides.
 */
export function nativesOf(
  fn: LibraryFunction,
  args: readonly Atom[],
): { test: string; run: Overload['run'] }[] {
  const out: { test: string; run: Overload['run'] }[] = [];
  for (const overload of fn.overloads) {
    const { params, min, run } = overload;
    if (args.length < min || args.length > params.length || params[0]?.optional) continue;
    const kinds = args.map((_, i) => kindFor(params[i]?.type, params[i]?.callback ?? -1));
    if (kinds.includes(undefined) || out.length >= MOST) continue;
    if (!decides(fn, overload, kinds as Kind[])) continue;
    const tests = args.map((arg, i) => testOf(arg, kinds[i] as Kind));
    if (tests.includes('never')) continue;
    out.push({ test: tests.filter((test) => test !== '').join(' && '), run });
    if (out.at(-1)?.test === '') break;
  }
  return out;
}

function kindFor(type: TypeValue | undefined, callback: number): Kind | undefined {
  if (!type || callback >= 0) return undefined;
  const { shape } = type;
  if (shape.kind === 'array') return 'array';
  if (shape.kind !== 'simple') return undefined;
  const { name } = shape;
  if (name === 'String' || name === 'Number' || name === 'Boolean' || name === 'Array')
    return name.toLowerCase() as Kind;
  return name === 'Any' ? 'anything' : undefined;
}

/** Is it this overload whatever values of these kinds are given? */
function decides(fn: LibraryFunction, overload: Overload, kinds: readonly Kind[]): boolean {
  let rows: Value[][] = [[]];
  for (const kind of kinds) {
    const values = kind === 'anything' ? ALL : [SAMPLES[kind]];
    rows = rows.flatMap((row) => values.map((value) => [...row, value]));
  }
  return rows.every((row) => overloadTaking(fn, row) === overload);
}

function testOf({ code, known }: Atom, kind: Kind): string {
  if (kind === 'anything' || kind === known) return '';
  if (known !== 'any') return 'never';
  return kind === 'array' ? `Array.isArray(${code})` : `typeof ${code} === "${kind}"`;
}
