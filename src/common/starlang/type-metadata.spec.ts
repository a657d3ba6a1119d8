import { describe, expect, it } from 'vitest';
import { compile } from './index.js';

const HEADER = `
type Short = Date {format: "dd-MM-yy"}
type Person = {born: Short, name: String}
type Either = Short | String {tag: "x"}
var short = "10-09-15" as Date {format: "dd-MM-yy"}
var other = "2015/09/10" as Date {format: "yyyy/MM/dd"}
var tagged = "a" as String {tag: "x"}
---
`;
const value = (expr: string, backend: 'closures' | 'generated') =>
  compile(HEADER + expr, { backend }).run().value;

describe.each(['closures', 'generated'] as const)('`is` with metadata (%s)', (backend) => {
  it.each([
    ['short is Short', true],
    ['other is Short', false],
    ['other is Date', true],
    ['short is Date {format: "dd-MM-yy"}', true],
    ['short is Date {format: "yy"}', false],
    ['tagged is String {tag: "x"}', true],
    ['tagged is String {tag: "y"}', false],
    ['"a" is String {tag: "x"}', false],
    ['tagged is Either', true],
    ['other is Either', false],
    ['{born: short, name: "a"} is Person', true],
    ['{born: other, name: "a"} is Person', false],
    ['[short, short] is Array<Short>', true],
    ['[short, other] is Array<Short>', false],
    ['other match { case is Short -> true else -> false }', false],
    ['short match { case s is Short -> true else -> false }', true],
  ])('%s is %s', (expr, expected) => {
    expect(value(expr, backend)).toBe(expected);
  });

  it('takes metadata for no condition of a parameter or variable', () => {
    expect(value('do { fun f(d: Short) = d.year --- f(|2015-09-10|) }', backend)).toBe(2015);
  });
});

describe('a declared type as a value', () => {
  it.each([
    ['isReferenceType(Short)', false],
    ['isReferenceType(arrayItem(Array<Short>))', true],
    ['nameOf(Short)', 'Short'],
  ])('%s is %s', (expr, expected) => {
    expect(compile(`import * from dw::core::Types\n${HEADER.trimStart()}${expr}`).run().value).toBe(expected);
  });
});
