import { assert, json, property } from 'fast-check';
import { expect, it } from 'vitest';
import { duplicateMember } from './duplicate-member.js';

const find = (text: string): string | null => duplicateMember(text, JSON.parse(text));

it.each([
  ['{"a":1,"a":2}', '/a'],
  ['{"a":1,"\\u0061":1}', '/a'],
  ['{"__proto__":1,"__proto__":2}', '/__proto__'],
  ['{"list":[0,{"x/y":{"b":1,"c":[],"b":1}}]}', '/list/1/x~1y/b'],
  ['[{"a":{"a":1}},{"a":1},{"a" :1, "b":{"a":2},"a":3}]', '/2/a'],
])('finds the member that stands twice in %s', (text, pointer) => {
  expect(find(text)).toBe(pointer);
});

it.each([
  ['{"a":{"a":1},"b":{"a":2}} '],
  ['["a","a"]'],
  [' "a:{,\\"a\\":" '],
  ['{"a":"\\\\","b":"{\\"a\\":1}"}'],
])('finds none in %s', (text) => {
  expect(find(text)).toBeNull();
});

it('finds none in what JSON.stringify wrote, compact or indented', () => {
  assert(
    property(json(), (text) => {
      expect(find(text)).toBeNull();
      expect(find(JSON.stringify(JSON.parse(text), null, 2))).toBeNull();
    }),
  );
});
