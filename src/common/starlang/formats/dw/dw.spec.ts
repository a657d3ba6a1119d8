import { describe, expect, it } from 'vitest';
import { compile, readText, writeText } from '../../index.js';

const DIRECTIVE = 'output application/dw\n---\n';

const dump = (script: string) =>
  compile(script.includes('---') ? script.replace('---\n', DIRECTIVE) : DIRECTIVE + script)
    .run()
    .text();

const back = (text: string) => writeText(readText(text, 'application/dw'), 'application/dw');

describe('the writer of the language itself', () => {
  it.each([
    [
      '{a: 1, "b c": [], type: {}, if: "x"}',
      '{\n  a: 1,\n  "b c": [],\n  type: {},\n  "if": "x"\n}'.replace('type', '"type"'),
    ],
    ['"say \\"\\$5\\" \\\\ \\n"', '"say \\"\\$5\\" \\\\ \\n"'],
    [
      '[|2024-05-06|, |PT1H|, |+02:00|, |10:00:00Z|]',
      '[\n  |2024-05-06|,\n  |PT1H|,\n  |+02:00|,\n  |10:00:00Z|\n]',
    ],
    ['"06/05/2024" as Date {format: "dd/MM/yyyy"}', '|2024-05-06| as Date {format: "dd/MM/yyyy"}'],
    ['1.5 as Number {format: "0.00"}', '1.5 as Number {format: "0.00"}'],
    [
      '[/a\\/b/, String, "x" as CData, "hi" as Binary]',
      '[\n  /a\\/b/,\n  String,\n  "x" as CData,\n  "aGk=" as Binary {base: "64"}\n]',
    ],
    ['(1 to 3)', '[\n  1,\n  2,\n  3\n]'],
    ['{a @(x: 1, y: "z"): null}', '{\n  a @(x: 1, y: "z"): null\n}'],
    ['ns p urn:x\n---\n{p#a @(p#b: 1): 2}', 'ns p urn:x\n---\n{\n  p#a @(p#b: 1): 2\n}'],
  ])('writes %s', (script, expected) => {
    expect(dump(script)).toBe(expected);
  });

  it('shortens collections and leaves metadata out as asked', () => {
    expect(writeText([1, 2, 3], 'dw', { maxCollectionSize: 2 })).toBe(
      '[\n  1,\n  2,\n  /* … */\n]'.replace('2,\n  /*', '2\n  /*'),
    );
    const script = compile('output dw ignoreSchema=true, indent="" --- [1 as Number {format: "0"}]');
    expect(script.run().text()).toBe('[\n1\n]');
  });
});

describe('the reader of the language itself', () => {
  it.each([
    '{\n  a @(x: 1): |2024-05-06| as Date {format: "dd/MM/yyyy"},\n  a: "\\$x"\n}',
    'ns p urn:x\n---\n{\n  p#a: -1.50\n}'.replace('1.50', '1.5'),
    '"aGk=" as Binary {base: "64"}',
    '[\n  "x" as CData,\n  /a\\/b/,\n  null,\n  true,\n  |PT1H|\n]',
  ])('gives back %j', (text) => {
    expect(back(text)).toBe(text);
  });

  it.each([
    ['1 + 1', 'line 1, column 1'],
    ['{a: upper("x")}', 'line 1, column 5'],
    ['{(k): 1}', 'line 1, column 2'],
    ['"$(1)"', 'line 1'],
    ['var x = 1 --- x', 'only ns may stand'],
    ['readUrl("file")', 'nothing that is computed'],
    ['{a: }', 'The text is no DW value'],
    ['"x" as Number', 'Cannot coerce'],
    ['{p#a: 1}', 'is not declared'],
    ['', 'no DW value'],
  ])('refuses %j', (text, message) => {
    expect(() => readText(text, 'application/dw')).toThrow(message);
  });

  it('refuses depth', () => {
    expect(() => readText('['.repeat(50_000), 'application/dw')).toThrow(/nested|too deeply|deeper/);
  });
});
