import { describe, expect, it } from 'vitest';
import { compile, writeText } from '../index.js';

const math = (expr: string) =>
  writeText(compile(`import * from dw::util::Math\n---\n${expr}`).run().value, 'json', { indent: false });

describe('decimal functions', () => {
  it.each([
    ['decimalDivide(1, 3)', '0.3333333333333333333333333333333333'],
    ['decimalDivide(2, 3, {precision: 1, roundingMode: "DOWN"})', '0.6'],
    ['decimalDivide(-2, 3, {precision: 1, roundingMode: "FLOOR"})', '-0.7'],
    ['decimalDivide(-2, 3, {precision: 1, roundingMode: "CEILING"})', '-0.6'],
    ['decimalDivide(100, 30, {precision: 2})', '3.3'],
    ['decimalDivide(1, 1024, {precision: 0})', '0.0009765625'],
    ['decimalDivide(5, 2, {precision: 1, roundingMode: "HALF_EVEN"})', '2'],
    ['decimalDivide(5, 2, {precision: 1, roundingMode: "HALF_UP"})', '3'],
    ['decimalDivide(12345678901234567890, 10, {precision: 0})', '1234567890123456789'],
    ['decimalSqrt(16)', '4'],
    ['decimalSqrt(0.25, {precision: 0})', '0.5'],
    ['decimalSqrt(2)', '1.414213562373095048801688724209698'],
    ['decimalSqrt(3, {precision: 3, roundingMode: "UP"})', '1.74'],
    ['decimalPow(2, 100, {precision: 0})', '1267650600228229401496703205376'],
    ['decimalPow(2, -2)', '0.25'],
    ['decimalPow(7, 0)', '1'],
    ['decimalPow(1.0000001, 10000000, {precision: 6})', '2.71828'],
    ['decimalRound(9.99, {precision: 2, roundingMode: "HALF_UP"})', '10'],
    ['decimalRound(-1.5, {precision: 1, roundingMode: "HALF_DOWN"})', '-1'],
    ['decimalRound(1.25, {precision: 3, roundingMode: "UNNECESSARY"})', '1.25'],
    ['decimalRound(0.000123456, {precision: 3})', '0.000123'],
    ['decimalAdd(0.1, 0.2)', '0.3'],
    ['decimalMultiply(1e20, 1e20, {precision: 0})', '1' + '0'.repeat(40)],
    ['decimalAdd(1, 2, DECIMAL_128_CONTEXT)', '3'],
  ])('%s is %s', (expr, result) => {
    expect(math(expr)).toBe(result);
  });

  it.each([
    ['decimalDivide(1, 3, {precision: 0})', /has no end/],
    ['decimalDivide(1, 0)', /Division by zero/],
    ['decimalSqrt(2, {precision: 0})', /has no end/],
    ['decimalSqrt(-1)', /no square root/],
    ['decimalPow(2, 0.5)', /whole number/],
    ['decimalRound(1.25, {precision: 2, roundingMode: "UNNECESSARY"})', /needs rounding/],
    ['decimalRound(1, {roundingMode: "SIDEWAYS"})', /"SIDEWAYS" is not known/],
    ['decimalRound(1, {precision: -1})', /between 0 and/],
    ['decimalPow(9, 99999999, {precision: 0})', /more than 20000 digits/],
  ])('%s is refused', (expr, message) => {
    expect(() => math(expr)).toThrow(message);
  });
});
