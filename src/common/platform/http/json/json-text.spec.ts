import { assert, json, pre, property } from 'fast-check';
import { expect, test } from 'vitest';
import { HelixError } from '../../../engine/errors/helix-error.js';
import { readJson, validationFailed } from './json-text.js';

function faultsOf(text: string | Buffer): string[] {
  try {
    readJson(Buffer.from(text));
    return [];
  } catch (error) {
    return (error as HelixError).fields?.map(({ path, code }) => `${path} ${code}`) ?? [String(error)];
  }
}

test('any JSON value comes back as JSON.parse reads it', () => {
  assert(
    property(json({ maxDepth: 10 }), (text) => {
      pre(!/\d{16}/.test(text));
      expect(readJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
});

test('members called like parts of a prototype are members like any other', () => {
  const value = readJson(
    Buffer.from('{"__proto__":{"x":1},"constructor":{"prototype":2},"prototype":3}'),
  ) as object;
  expect(Object.getOwnPropertyNames(value)).toEqual(['__proto__', 'constructor', 'prototype']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test.each([
  ['a member twice', '{"a":{"b":1,"b":2}}', ['/a/b duplicate_member']],
  ['a member twice in other spelling', '{"a":1,"\\u0061":2}', ['/a duplicate_member']],
  ['the same member in two objects', '[{"a":1},{"a":2}]', []],
  ['a string that looks like members', '{"a":"{\\"b\\":1,\\"b\\":2}"}', []],
  ['an integer that would be rounded', '{"n":[0,12345678901234567890]}', ['/n/1 number_range']],
  ['the same with a fraction of zero', '{"n":12345678901234567890.0}', ['/n number_range']],
  ['the largest and smallest safe integer', '[9007199254740991,-9007199254740991]', []],
  ['one more', '[9007199254740992]', ['/0 number_range']],
  ['infinity by exponent', '{"n":1e400}', ['/n number_range']],
  ['NUL', '{"a":"x\\u0000"}', ['/a nul_character']],
  ['NUL in a name', '{"\\u0000":1}', ['/\0 nul_character']],
  ['half a surrogate pair', '["\\ud83d"]', ['/0 lone_surrogate']],
  ['a whole pair', '["\\ud83d\\ude00"]', []],
  ['names that need escaping in a pointer', '{"a/b":{"~":"\\u0000"}}', ['/a~1b/~0 nul_character']],
  ['no JSON', '{"a":', [' syntax']],
  ['comments', '{} // x', [' syntax']],
  ['NaN', 'NaN', [' syntax']],
  ['a byte order mark', '\uFEFF{}', [' syntax']],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), [' encoding']],
])('%s', (_, text, faults) => {
  expect(faultsOf(text)).toEqual(faults);
});

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

test('64 levels are accepted, 65 are not, 300,000 neither', () => {
  expect(faultsOf(nested(64))).toEqual([]);
  expect(faultsOf(nested(65))).toEqual([expect.stringMatching(/ too_deep$/)]);
  expect(faultsOf(nested(300_000))).toEqual([expect.stringMatching(/ too_deep$/)]);
});

test('a hostile text costs little: quotes, escapes, brackets and digits by the megabyte', () => {
  const texts = [
    `"${'\\\\'.repeat(250_000)}"`,
    `"${'\\"'.repeat(500_000)}"`,
    `"${'\\n'.repeat(500_000)}`,
    '"'.repeat(1_000_000),
    '['.repeat(1_000_000),
    '9'.repeat(1_000_000),
    '-'.repeat(1_000_000),
  ];
  const began = performance.now();
  expect(texts.map((text) => faultsOf(text).length)).toEqual([0, 0, 1, 1, 1, 1, 1]);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test('a fault never repeats a value', () => {
  const thrown = [
    '{"apiKey":"hunter2\\u0000","n":12345678901234567890}',
    '{"x": hunter2}',
    '{"apiKey":"hunter2","apiKey":"hunter2"}',
  ].map((text) => {
    try {
      return readJson(Buffer.from(text));
    } catch (error) {
      return error;
    }
  });
  for (const error of thrown) expect(error).toBeInstanceOf(HelixError);
  const told = thrown.map((error) => [(error as HelixError).message, (error as HelixError).fields]);
  expect(JSON.stringify(told)).not.toMatch(/hunter2|123456/);
});

test('the number of faults told is bounded', () => {
  expect(faultsOf(`[${Array.from({ length: 500 }, () => '1e999').join(',')}]`)).toHaveLength(20);
});

test('an answer stays small, whatever the names and the number of problems', () => {
  const name = 'n'.repeat(100_000);
  expect(faultsOf(`{"a":{"${name}":{${'"b":1,'.repeat(30)}"b":1}}}`)).toEqual(
    Array.from({ length: 20 }, () => '/a duplicate_member'),
  );
  const problems = Array.from({ length: 5000 }, (_, index) => ({
    path: `/${index}`,
    code: 'c',
    message: 'm',
  }));
  const error = validationFailed(problems);
  expect(error.fields).toEqual(problems.slice(0, 20));
  expect(error.message).toContain('(and 4999 more)');
});
