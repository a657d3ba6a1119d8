import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.js';

test('members are sorted by UTF-16 code units, numbers and strings written as ECMAScript does (RFC 8785, 3.2)', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toHaveLength(7);
  expect([...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
  expect(canonicalJson([333_333_333.333_333_3, 1e30, 4.5, 2e-3, 1e-27, -0, 1.0])).toBe(
    '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1]',
  );
});

test('order and white space do not matter, values do', () => {
  assert(
    property(jsonValue(), (value) => {
      const spaced = JSON.parse(JSON.stringify(value, null, 2)) as unknown;
      expect(canonicalJson(spaced)).toBe(canonicalJson(JSON.parse(JSON.stringify(value))));
      expect(JSON.parse(canonicalJson(spaced))).toEqual(spaced);
    }),
  );
  expect(canonicalJson({ b: 1, a: [2, { d: 3, c: 4 }] })).toBe('{"a":[2,{"c":4,"d":3}],"b":1}');
});

test.each([undefined, Number.NaN, 1n, () => 1, '\ud800', { a: undefined }])(
  '%s has no canonical form',
  (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  },
);

test('a member called __proto__ counts', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}');
});
