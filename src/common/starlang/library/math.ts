import { fromDouble } from '../numbers/arithmetic.js';
import type { Numeric } from '../numbers/decimal.js';
import { DECIMAL_128, decimals } from './decimals.js';
import { fn, type LibraryModule } from './define.js';
import { simpleType } from '../values/type-value.js';
import type { Value } from '../values/value.js';

const one = (body: (x: number) => number) => ({
  '(number: Number): Number': (number: Numeric): Value => fromDouble(body(Number(number))),
});

/** Outside of where a function is defined there is no number: the peer gives NaN as null. */
const defined = (body: (x: number) => number) => ({
  '(number: Number): Number | Null': (number: Numeric): Value => {
    const value = body(Number(number));
    return Number.isFinite(value) ? fromDouble(value) : null;
  },
});

export const math: LibraryModule = {
  name: 'dw::util::Math',
  constants: { DECIMAL_128_CONTEXT: DECIMAL_128 },
  types: { OperationContext: simpleType('Object'), RoundingMode: simpleType('String') },
  functions: [
    fn('sin', 'The sine of an angle in radians.', [['sin(0)', '0']], one(Math.sin)),
    fn('cos', 'The cosine of an angle in radians.', [['cos(0)', '1']], one(Math.cos)),
    fn('tan', 'The tangent of an angle in radians.', [['tan(0)', '0']], one(Math.tan)),
    fn(
      'asin',
      'The angle whose sine is the number; null without one.',
      [['asin(2)', 'null']],
      defined(Math.asin),
    ),
    fn(
      'acos',
      'The angle whose cosine is the number; null without one.',
      [['acos(1)', '0']],
      defined(Math.acos),
    ),
    fn('atan', 'The angle whose tangent is the number.', [['atan(0)', '0']], one(Math.atan)),
    fn(
      'log10',
      'The logarithm to the base 10; null when there is none.',
      [['log10(1000)', '3']],
      defined(Math.log10),
    ),
    fn('logn', 'The natural logarithm; null when there is none.', [['logn(1)', '0']], defined(Math.log)),
    fn(
      'toDegrees',
      'An angle in radians in degrees.',
      [['toDegrees(0)', '0']],
      one((x) => (x * 180) / Math.PI),
    ),
    fn(
      'toRadians',
      'An angle in degrees in radians.',
      [['toRadians(0)', '0']],
      one((x) => (x / 180) * Math.PI),
    ),
    ...decimals,
  ],
};
