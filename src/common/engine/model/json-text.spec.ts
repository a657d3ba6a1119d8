import { expect, test } from 'vitest';
import { jsonText } from './json-text.js';

test('bytes are base64 wherever they stand', () => {
  const value = { a: [Buffer.from('hello')], b: { c: new Uint8Array([255, 0]) }, d: Buffer.alloc(0) };
  expect(jsonText(value)).toEqual({ text: '{"a":["aGVsbG8="],"b":{"c":"/wA="},"d":""}', hasBytes: true });
  expect(jsonText({ none: new Uint8Array() })).toEqual({ text: '{"none":""}', hasBytes: true });
  expect(jsonText(Buffer.from('hi')).text).toBe('"aGk="');
});

test('a view of a larger memory gives its own bytes only', () => {
  const memory = new Uint8Array([1, 2, 3, 4]);
  expect(jsonText([memory.subarray(1, 3)]).text).toBe('["AgM="]');
});

test.each([
  { type: 'Buffer', data: [1, 2] },
  { 0: 'a', 1: 'b' },
  {},
  [new Date(0), { a: undefined }, null, 'text'],
])('other values are as JSON.stringify writes them: %j', (value) => {
  expect(jsonText(value)).toEqual({ text: JSON.stringify(value), hasBytes: false });
});

test('what JSON has no form for', () => {
  expect(jsonText(undefined).text).toBeUndefined();
  expect(() => jsonText({ n: 1n })).toThrow(TypeError);
});
