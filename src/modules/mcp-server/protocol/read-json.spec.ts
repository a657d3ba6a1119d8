import { expect, test } from 'vitest';
import { deepestNesting, JsonRefusal, readJson } from './read-json.js';

const read = (text: string): unknown => readJson(Buffer.from(text));

test.each([
  ['{"method":"tools/list","method":"tools/call"}', '/method'],
  ['{"params":{"arguments":{"a":1,"b":{"x":0},"a":2}}}', '/params/arguments/a'],
  ['[{"id":1},{"id":1,"\\u0069d":2}]', '/1/id'],
])('refuses a member that stands twice: %s', (text, place) => {
  expect(() => read(text)).toThrow(new JsonRefusal(`A member stands twice in its object: ${place}.`));
});

test('finds a duplicate behind any number of things it does not mind', () => {
  const large = Array.from({ length: 50 }, () => '12345678901234567890').join(',');
  expect(() => read(`{"n":[${large}],"a":1,"a":2}`)).toThrow(/stands twice/);
});

test('takes the same name in different objects, large numbers, and the deepest nesting', () => {
  expect(read('{"a":{"a":[{"a":1},{"a":2}]},"n":12345678901234567890}')).toMatchObject({
    a: { a: [{}, {}] },
  });
  const deep = `${'['.repeat(deepestNesting)}${']'.repeat(deepestNesting)}`;
  expect(read(deep)).toBeInstanceOf(Array);
  expect(() => read(`[${deep}]`)).toThrow(/levels deep/);
});

test('tells a long name of the sender in few words', () => {
  const name = 'n'.repeat(100_000);
  expect(() => read(`{"${name}":1,"${name}":2}`)).toThrow(/^.{0,260}$/);
});
