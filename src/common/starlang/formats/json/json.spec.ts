import { describe, expect, it } from 'vitest';
import { readText, writeText } from '../../index.js';

const again = (text: string) => writeText(readText(text, 'json'), 'json', { indent: false });

describe('JSON', () => {
  it.each([
    '{"a":1,"a":2}',
    '{"2":1,"1":2}',
    '{"__proto__":1}',
    '{"\\":":1,"b":{"c":1}}',
    '[12345678901234567890,0.1234567890123456789]',
    '[1e3,1E-7]',
    '{"a":"x\\":y","a":1}',
    '[0.000001,-0.000001,123456789012345]',
    '"text"',
    '["1.0e5",{"time":"10:00 : 11"}]',
    '{"":{"":[]}}',
  ])('keeps %s', (text) => {
    expect(again(text)).toBe(text.replace('1e3', '1000').replace('1E-7', '0.0000001'));
  });

  it.each([
    ['{"a" :1,"a":2}', '{"a":1,"a":2}'],
    ['{"a"\n:1, "b" : {"a":3, "a"\t: 4}}', '{"a":1,"b":{"a":3,"a":4}}'],
    ['[1.50]', '[1.5]'],
  ])('reads %s as %s', (text, wanted) => {
    expect(again(text)).toBe(wanted);
  });

  it('is refused when it is nested too deeply', () => {
    for (const text of [
      '['.repeat(200_000) + ']'.repeat(200_000),
      '{"a":'.repeat(2000) + '1' + '}'.repeat(2000),
    ])
      expect(() => readText(text, 'json')).toThrow(/nested deeper/);
  });

  it('is written indented by two, with every digit of a number', () => {
    const value = readText('{"a":[],"b":{},"c":[1,{"d":null}],"e":"\\u2028\\n"}', 'json');
    expect(writeText(value, 'json')).toBe(
      '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    {\n      "d": null\n    }\n  ],\n  "e": "\u2028\\n"\n}',
    );
    expect(writeText([1e21, 1e-7, -0, true], 'json', { indent: false })).toBe(
      '[1000000000000000000000,0.0000001,0,true]',
    );
  });
});
