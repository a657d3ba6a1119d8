import { typeFault } from '../errors/fault.js';
import { coerceTo } from '../values/coerce.js';
import { Decimal, type Numeric } from '../numbers/decimal.js';
import { bare } from '../values/objects.js';
import { truth } from '../runtime/operators.js';
import { kindOf } from '../values/kind.js';
import { preview } from '../values/text.js';
import type { Value } from '../values/value.js';

/** An item that must be a number; texts are coerced. */
export function numberItem(value: Value, where: string): Numeric {
  const plain = bare(value);
  if (typeof plain === 'number' || plain instanceof Decimal) return plain;
  if (typeof plain === 'string') return coerceTo(plain, 'Number') as Numeric;
  throw typeFault(`${where} takes numbers but got ${kindOf(plain)} (${preview(plain)})`);
}

/** A number as a whole double: a length, an index, a count. */
export function whole(value: Numeric, what: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw typeFault(`${what} must be a whole number, not ${String(value)}`);
  return number;
}

export const passes = (value: Value, where: string): boolean =>
  value === true || (value !== false && truth(value, `The condition of ${where}`));
