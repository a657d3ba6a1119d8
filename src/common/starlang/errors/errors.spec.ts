import { describe, expect, it } from 'vitest';
import { compile, parse, StarlangError } from '../index.js';

function errorOf(source: string, bindings: Record<string, unknown> = {}): StarlangError {
  try {
    compile(source).run(bindings);
  } catch (error) {
    if (error instanceof StarlangError) return error;
    throw error;
  }
  throw new Error(`no error: ${source}`);
}
const problemOf = (source: string, bindings = {}) => errorOf(source, bindings).problems[0];

describe('an unknown name', () => {
  it.each([
    ['uper("a")', 'did you mean "upper"?'],
    ['fun total(x) = x\n---\ntotl(1)', 'did you mean "total"?'],
    ['var prices = 1\n---\nprcies', 'did you mean "prices"?'],
    ['paylod.a', 'did you mean "payload"?'],
    ['capitalize("a")', 'it needs: import * from dw::core::Strings'],
    ['import * from dw::core::Sting\n---\n1', 'did you mean "dw::core::Strings"?'],
    ['dw::core::Strings::capitalise("a")', 'did you mean "capitalize"?'],
    ['1 as Numbr', 'did you mean "Number"?'],
    ['output application/jsn\n---\n1', 'did you mean "application/json"?'],
    ['write(1, "jsno")', 'did you mean "json"?'],
  ])('%j is told what was meant', (source, hint) => {
    expect(problemOf(source)?.hint).toBe(hint);
  });

  it('is not told of a word that is nothing like it', () => {
    expect(problemOf('xyzzyx')?.hint).toBeUndefined();
  });
});

describe('a wrong call', () => {
  it('lists the arguments with their types and values, and all that is taken', () => {
    expect(problemOf('"abc" map $')).toMatchObject({
      kind: 'type',
      message: [
        'The function "map" does not take these arguments:',
        '  1: String ("abc")',
        '  2: Function (Function)',
        'It takes:',
        '  map(items: Array<T>, mapper: (item: T, index: Number) -> R): Array<R>',
        '  map(items: Null, mapper: (item: Nothing, index: Nothing) -> Any): Null',
      ].join('\n'),
    });
  });

  it('shortens long values', () => {
    const { message = '' } = problemOf('payload map $', { payload: 'x'.repeat(500) }) ?? {};
    expect(message).toContain(`"${'x'.repeat(79)}…`);
    expect(message.length).toBeLessThan(400);
  });

  it('says how many arguments a function takes', () => {
    expect(problemOf('upper(1, 2)')?.message).toBe('The function "upper" takes 1 argument but got 2');
    expect(problemOf('fun f(a, b = 1) = a\n---\nf()')?.message).toMatch(
      /"f" takes 1 (to|or) 2 arguments but got 0/,
    );
  });

  it('names the parameter that does not fit', () => {
    expect(problemOf('fun f(a: Number) = a\n---\nf("x")')?.message).toBe(
      'The parameter "a" of "f" takes Number but got String ("x")',
    );
  });

  it('says what to do about null', () => {
    expect(problemOf('payload.a + 1', { payload: {} })?.hint).toContain('default');
    expect(problemOf('payload.a > 1', { payload: {} })?.message).toContain('Null');
  });

  it('traces the calls from the inside out', () => {
    const { trace } = errorOf('fun inner(x) = x + null\nfun outer(x) = inner(x)\n---\nouter(1)');
    expect(trace).toEqual([
      'inner (line: 2, column: 16)',
      'outer (line: 4, column: 1)',
      'script (line: 1, column: 16)',
    ]);
  });

  it('writes a recursion down once', () => {
    const { message } = errorOf('fun f(n) = f(n + 1) + 1\n---\nf(1)');
    expect(message).toMatch(/at f \(line: 1, column: 12\) \(\d+ times\)/);
    expect(message.split('\n').length).toBeLessThan(12);
  });
});

describe('a parse', () => {
  it('ends wherever the script breaks off', () => {
    const script =
      '%dw 2.0\nvar a = {x: [1, "b $(c)"]}\noutput application/json indent=false\nfun f(n: Number) = n match { case is Null -> 1 }\nimport * from dw::core::Arrays\n---\na.*x map (i) -> /r/ do { output xml --- (i) }';
    for (let end = 0; end <= script.length; end++) {
      const { problems } = parse(script.slice(0, end));
      expect(problems.length).toBeLessThan(20);
    }
  });

  it('reports several errors at once, in the order of the text', () => {
    const { problems } = errorOf('var b = \nfun f(x = x\n---\na + ');
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 1],
      [3, 1],
      [4, 5],
    ]);
  });

  it('goes on after a wrong entry of an object', () => {
    const { problems } = errorOf('{\n a: (1 + ,\n b: 2,\n c: [3 *]\n}');
    expect(problems.map(({ line }) => line)).toEqual([2, 4]);
  });

  it('reports several unknown names at once', () => {
    expect(errorOf('aaaa + bbbb + cccc').problems.map(({ column }) => column)).toEqual([1, 8, 15]);
  });

  it.each([
    ['x => x', '(x) -> x'],
    ['[1].map(x -> x)', 'parentheses'],
    ['payload === 1', '== and !='],
    ['payload !== 1', '== and !='],
    ['true && false', '"and"'],
    ['true || false', '"or"'],
    ['payload = 1', '"=="'],
    ['1 + 1;', 'leave ";" out'],
    ['{a: 1 b: 2}', 'is a "," missing'],
    ['5 % 2', 'mod'],
    ['if (true) 1', 'always an else'],
    ['"abc', 'no closing quote'],
  ])('%j says how it is written here', (source, part) => {
    const problem = problemOf(source);
    expect(`${problem?.message} ${problem?.hint}`).toContain(part);
  });
});

describe('an excerpt', () => {
  it.each([
    ['after tabs', '\t\tfooo', 1, 3, '1|   fooo\n     ^^^^'],
    ['on a later line', '1 +\n  fooo', 2, 3, '2|   fooo\n     ^^^^'],
    ['with Windows line ends', '1 +\r\nfooo +\r\n1', 2, 1, '2| fooo +\n   ^^^^'],
    ['after an accent', '"é" ++ fooo', 1, 8, '1| "é" ++ fooo\n          ^^^^'],
    ['after a combining accent', '"e\u0301" ++ fooo', 1, 9, '1| "e\u0301" ++ fooo\n          ^^^^'],
    ['after wide characters', '"日本" ++ fooo', 1, 9, '1| "日本" ++ fooo\n             ^^^^'],
    ['after an emoji', '"😀" ++ fooo', 1, 9, '1| "😀" ++ fooo\n           ^^^^'],
    ['after an emoji of several', '"👨‍👩‍👧" ++ fooo', 1, 15, '1| "👨‍👩‍👧" ++ fooo\n           ^^^^'],
    ['of what moves a terminal', '"\u001b[2J" ++ fooo', 1, 11, '1| " [2J" ++ fooo\n             ^^^^'],
  ])('%s has its caret below the name', (_what, source, line, column, excerpt) => {
    expect(problemOf(source)).toMatchObject({ line, column, excerpt });
  });

  it('underlines wide characters whole', () => {
    expect(problemOf('"日本" as Number')?.excerpt).toBe('1| "日本" as Number\n   ^^^^^^^^^^^^^^^^');
  });

  it('shows a part of a very long line, with the place in it', () => {
    const source = `"${'😀'.repeat(400)}" ++ fooo ++ "${'x'.repeat(400)}"`;
    const [text = '', carets = ''] = problemOf(source)?.excerpt.split('\n') ?? [];
    expect(text).toContain('fooo');
    expect(text).not.toMatch(/(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(text.length).toBeLessThan(200);
    expect(carets.trim()).toBe('^^^^');
  });

  it('stands at the end when the script ends too early', () => {
    expect(problemOf('1 + ')).toMatchObject({ line: 1, column: 5, excerpt: '1| 1 + \n       ^' });
    expect(problemOf('')?.excerpt).toBe('1| \n   ^');
  });
});
