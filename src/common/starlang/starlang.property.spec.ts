import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compile,
  parse,
  print,
  readText,
  toPlain,
  writeText,
  StarlangError,
  type Document,
} from './index.js';

const tree = (ast: Document) =>
  JSON.stringify(ast, (key, value: unknown) =>
    ['start', 'end', 'grouped'].includes(key) ? undefined : value,
  );

const secret = () => 'leaked';

const word = fc.constantFrom('payload', 'vars', 'args', 'upper', 'sizeOf');
const literal = fc.oneof(
  fc.integer({ min: 0, max: 1e9 }).map(String),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text).replaceAll('$', '\\$')),
  fc.constantFrom('true', 'null', '|2024-01-01|', '/a+/', '1.50', '$'),
);
const SELECTORS = [
  '.a',
  '.*b',
  '..c',
  '..*c',
  '.&d',
  '."d e"',
  '[0]',
  '[-1 to 0]',
  '.@x',
  '.*@x',
  '.a?',
  '.a!',
  '.#',
  '.^mimeType',
  '.n#a',
  '[?($ > 1)]',
  '.constructor',
  '.__proto__',
];
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    literal,
    word,
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          '+',
          '-',
          '*',
          '/',
          '==',
          '<',
          '>=',
          'and',
          'or',
          '++',
          '--',
          'map',
          'filter',
          'default',
          'contains',
          '>>',
        ),
        tie('expression'),
      )
      .map(([a, op, b]) => `${a} ${op} ${b}`),
    fc.tuple(word, tie('expression')).map(([f, a]) => `${f}(${a})`),
    fc.tuple(word, fc.constantFrom(...SELECTORS)).map(([a, s]) => a + s),
    tie('expression').map((a) => `(${a})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[${a}, ${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{a: ${a}, (b: ${b}) if (true)}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `if (${a}) ${b} else 1`),
    tie('expression').map((a) => `(x, y = 1) -> ${a}`),
    tie('expression').map((a) => `payload match { case is String -> ${a} else -> 2 }`),
    tie('expression').map((a) => `do { var v = ${a} --- v }`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `unless (${a}) ${b} else 1`),
    fc
      .tuple(tie('expression'), fc.constantFrom(...SELECTORS), fc.constantFrom(...SELECTORS))
      .map(([a, one, other]) => `(${a})${one}${other}`),
    fc.tuple(fc.constantFrom('-', '!', 'not '), tie('expression')).map(([sign, a]) => `${sign}(${a})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('as Number', 'as String {format: "0.0"}', 'is Array<String>'))
      .map(([a, type]) => `(${a}) ${type}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `"x\\$ $(${a})\\n$(${b})"`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `using (v = ${a}) (${b})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(
        ([a, b, c]) =>
          `(${a}) match { case v if (${b}) -> ${c} case x: 1 -> 2 case [h ~ t] -> h case {k: v ~ r} -> r else v -> v }`,
      ),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([a, b]) => `(${a}) update { case v at .a[0].@b! if (${b}) -> v case .*c -> 1 }`),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([a, b]) => `{"k$(${a})" @(n: ${b}): 1, p#q: 2, (${a}): 3, (${b}), r: [(1) if (true), 2 ~ []]}`),
    tie('expression').map((a) => `do { fun f<T>(x: T, y: Number | Null = ${a}): T = x --- f<String>("a") }`),
  ),
}));

describe('any script', () => {
  it('that parses is printed as a script of the same tree', () => {
    fc.assert(
      fc.property(expression, (source) => {
        const { ast, problems } = parse(source);
        fc.pre(problems.length === 0);
        const again = parse(print(ast));
        expect(again.problems).toEqual([]);
        expect(tree(again.ast)).toBe(tree(ast));
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  it('gives a value or a StarlangError, and nothing of the host', () => {
    class Host {
      own = 1;
      method() {
        return secret();
      }
    }
    fc.assert(
      fc.property(expression, (source) => {
        try {
          const { value } = compile(source).run({
            payload: { a: [1, 'x'], host: new Host(), f: secret },
            vars: null,
            args: ['a'],
          });
          const text =
            JSON.stringify(toPlain(value), (_key, item: unknown) =>
              typeof item === 'bigint' ? String(item) : item,
            ) ?? '';
          expect(text).not.toContain('leaked');
          expect(text).not.toContain('native code');
        } catch (error) {
          if (!(error instanceof StarlangError) && (error as Error).name !== 'Fault') throw error;
        }
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  it('of any characters at all is parsed without an exception', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...Array.from('(){}[]$"\'`|/\\-.,:=<>@#~ \nabif1')),
          maxLength: 60,
        }),
        (source) => {
          expect(parse(source).problems.length).toBeLessThanOrEqual(20);
        },
      ),
      { numRuns: 2000 },
    );
  }, 60_000);
});

describe('JSON', () => {
  it('comes out as it went in', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const out = compile('payload')
          .run({ payload: readText(text, 'json') })
          .text();
        expect(JSON.parse(out)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  it('keeps the order of keys, duplicates and every digit', () => {
    const key = fc.constantFrom('a', 'b', '1', '2', '__proto__', '10');
    const number = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String);
    fc.assert(
      fc.property(fc.array(fc.tuple(key, number), { maxLength: 8 }), (pairs) => {
        const text = `{${pairs.map(([name, digits]) => `${JSON.stringify(name)}:${digits}`).join(',')}}`;
        expect(writeText(readText(text, 'json'), 'json', { indent: false })).toBe(text);
      }),
    );
  }, 60_000);
});
