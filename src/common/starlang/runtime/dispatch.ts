import { Fault, typeFault } from '../errors/fault.js';
import { parseTemporal } from '../dates/iso.js';
import type { LibraryFunction, Overload, OverloadParam } from '../library/define.js';
import { accepts } from '../values/accepts.js';
import { CData } from '../values/atoms.js';
import { coerceTo } from '../values/coerce.js';
import { constantInvoke, Fn, type Invoke } from '../values/fn.js';
import { kindOf } from '../values/kind.js';
import { bare, Key, Leaf } from '../values/objects.js';
import { Range } from '../values/range.js';
import { preview } from '../values/text.js';
import type { TypeValue } from '../values/type-value.js';
import type { Value } from '../values/value.js';

/** Calls the first overload whose types take the arguments, then the one that needs the fewest coercions. */
export function callLibrary(fn: LibraryFunction, args: readonly Value[]): Value {
  const { overloads } = fn;
  const taking = overloadTaking(fn, args);
  if (taking) return taking.run(...prepared(taking, args));
  let best: { overload: Overload; values: Value[]; changes: number } | undefined;
  for (const strict of [true, false])
    for (const overload of overloads) {
      const values = best && !strict ? undefined : coercedTo(overload, args, strict);
      if (!values) continue;
      const changes = values.reduce<number>((count, value, i) => (value === args[i] ? count : count + 1), 0);
      if (!best || changes < best.changes) best = { overload, values, changes };
    }
  if (best) return best.overload.run(...prepared(best.overload, best.values));
  throw callFault(fn, args);
}

/** The first overload that takes the arguments as they are. */
export function overloadTaking(fn: LibraryFunction, args: readonly Value[]): Overload | undefined {
  for (const overload of fn.overloads) if (takes(overload, args)) return overload;
  return undefined;
}

/** The parameter an argument goes to: with a leading optional parameter the last ones are filled first. */
export function paramAt(overload: Overload, index: number, count: number): OverloadParam | undefined {
  const { params } = overload;
  return params[0]?.optional ? params[params.length - count + index] : params[index];
}

const fits = ({ min, params }: Overload, count: number) => count >= min && count <= params.length;

function takes(overload: Overload, args: readonly Value[]): boolean {
  if (!fits(overload, args.length)) return false;
  for (let i = 0; i < args.length; i++) {
    const param = paramAt(overload, i, args.length) as OverloadParam;
    if (param.callback < 0 && !accepts(param.type, args[i] as Value, false)) return false;
  }
  return true;
}

const SCALARS = new Set([
  'String',
  'Number',
  'Boolean',
  'Date',
  'DateTime',
  'LocalDateTime',
  'Time',
  'LocalTime',
  'TimeZone',
  'Period',
  'Regex',
  'Uri',
  'Key',
  'Binary',
]);

const TEMPORALS = new Set(['Date', 'DateTime', 'LocalDateTime', 'Time', 'LocalTime']);

/** Only scalars are coerced to scalars on their own. */
export function coerceArgument(type: TypeValue, value: Value, strict = false): Value | undefined {
  const { shape } = type.resolved();
  const plain = bare(value);
  if (shape.kind === 'union') {
    for (const member of shape.members) {
      const found = coerceArgument(member, value, strict);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (shape.kind !== 'simple' || !SCALARS.has(shape.name) || plain === null) return undefined;
  const kind = kindOf(plain);
  if (!SCALARS.has(kind) && kind !== 'CData' && kind !== 'Type') return undefined;
  // A text that is a date is first of all a Date, one with a time first of all a DateTime.
  if (strict && typeof plain === 'string' && TEMPORALS.has(shape.name)) {
    const kind = parseTemporal(plain.trim())?.typeName;
    if (kind !== shape.name && !(kind === 'LocalDateTime' && shape.name === 'DateTime')) return undefined;
  }
  // A number is text before it is bytes.
  if (shape.name === 'Binary' && typeof plain !== 'string') return undefined;
  try {
    return coerceTo(plain, shape.name);
  } catch (error) {
    if (error instanceof Fault && error.kind === 'coercion') return undefined;
    throw error;
  }
}

function coercedTo(overload: Overload, args: readonly Value[], strict: boolean): Value[] | undefined {
  if (!fits(overload, args.length)) return undefined;
  const out: Value[] = [];
  for (let i = 0; i < args.length; i++) {
    const param = paramAt(overload, i, args.length) as OverloadParam;
    const arg = args[i] as Value;
    if (param.callback >= 0 || accepts(param.type, arg, false)) out.push(arg);
    else {
      const value = coerceArgument(param.type, arg, strict);
      if (value === undefined) return undefined;
      out.push(value);
    }
  }
  return out;
}

/** The arguments as native code wants them: functions as callbacks, ranges as arrays, keys as texts. */
function prepared(overload: Overload, args: readonly Value[]): Value[] {
  const { params } = overload;
  const out = Array.from<Value>({ length: params.length });
  const shift = params[0]?.optional ? params.length - args.length : 0;
  for (let i = 0; i < args.length; i++) {
    const param = params[i + shift] as OverloadParam;
    out[i + shift] =
      param.callback >= 0
        ? (callbackOf(args[i] as Value) as unknown as Value)
        : plainArgument(param.type, args[i] as Value);
  }
  return out;
}

function plainArgument({ shape }: TypeValue, value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (shape.kind === 'simple' && (shape.name === 'Any' || shape.name === 'Key')) return value;
  const plain = value instanceof Leaf ? value.value : value;
  if (shape.kind === 'array' && plain instanceof Range) return plain.items();
  if (shape.kind === 'simple' && shape.name === 'String') {
    if (plain instanceof CData) return plain.text;
    if (plain instanceof Key) return plain.name;
  }
  return plain;
}

/** A function as native code calls it; any other value is the constant function of it. */
export function callbackOf(value: Value): Invoke {
  return value instanceof Fn ? value.invoke : constantInvoke(value);
}

function callFault(fn: LibraryFunction, args: readonly Value[]): Fault {
  const given = args.map((arg, i) => `  ${i + 1}: ${kindOf(arg)} (${preview(arg)})`).join('\n');
  const wanted = fn.signatures.map((text) => `  ${text}`).join('\n');
  const isNull = args.some((arg) => arg === null);
  const count = args.length === 1 ? '1 argument' : `${args.length} arguments`;
  return typeFault(
    `The function "${fn.name}" does not take ${count === '0 arguments' ? 'no arguments' : 'these arguments'}:\n${given}\nIt takes:\n${wanted}`,
    isNull ? 'one of the arguments is null: give it a value with "default"' : undefined,
  );
}
