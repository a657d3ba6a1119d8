import { typeFault } from '../errors/fault.js';
import { compareTemporals, Temporal } from '../dates/temporal.js';
import { Zone } from '../dates/zone.js';
import { compareNumbers } from '../numbers/arithmetic.js';
import { Decimal } from '../numbers/decimal.js';
import { steps, walk } from '../runtime/machine.js';
import { coerceTo } from './coerce.js';
import { kindOf } from './kind.js';
import { bare } from './objects.js';
import { preview, textOf } from './text.js';
import type { Value } from './value.js';

/** Texts below this are compared in less than a step. */
const LONG = 1024;

/** Order of two comparable values; the right is coerced to the type of the left. Null is refused. */
export function compare(left: Value, right: Value): number {
  const [a, b] = [bare(left), bare(right)];
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (a === null || b === null) throw refuse(a, b);
  if (typeof a === 'string') return compareTexts(a, typeof b === 'string' ? b : (textOf(b) ?? fail(a, b)));
  if (typeof a === 'number' || a instanceof Decimal)
    return compareNumbers(
      a,
      typeof b === 'number' || b instanceof Decimal ? b : (coerceTo(b, 'Number') as number),
    );
  if (typeof a === 'boolean') return Number(a) - Number(coerceTo(b, 'Boolean'));
  if (a instanceof Temporal) {
    const other =
      b instanceof Temporal && b.typeName === a.typeName ? b : (coerceTo(b, a.typeName) as Temporal);
    return compareTemporals(a, other);
  }
  if (a instanceof Zone && b instanceof Zone) return compareTexts(a.id, b.id);
  const [x, y] = [textOf(a), textOf(b)];
  return x === undefined || y === undefined || Array.isArray(a) ? fail(a, b) : compareTexts(x, y);
}

export function compareTexts(a: string, b: string): number {
  if (a.length > LONG && b.length > LONG) {
    walk(a);
    walk(b);
    steps(Math.min(a.length, b.length) >> 10);
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function fail(a: Value, b: Value): never {
  throw refuse(a, b);
}

function refuse(a: Value, b: Value) {
  return typeFault(
    `Cannot compare ${kindOf(a)} (${preview(a)}) with ${kindOf(b)} (${preview(b)})`,
    a === null || b === null ? 'null has no order: give it a value with "default"' : undefined,
  );
}

/** As {@link compare} for sorting, where null comes first and mixed types are told apart by kind. */
export function compareForOrder(left: Value, right: Value): number {
  const [a, b] = [bare(left), bare(right)];
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compare(a, b);
}
