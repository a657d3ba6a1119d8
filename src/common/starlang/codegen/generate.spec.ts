import { parse as parseJavaScript, type AnyNode, type Pattern } from 'acorn';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, StarlangError } from '../index.js';
import { link } from '../compile/link.js';
import { onBoth } from '../testing/both-backends.js';
import { generate, supportNames } from './generate.js';

const NAMES = fc.constantFrom('payload', 'vars', 'args', 'x', 'y');
const LITERALS = fc.oneof(
  fc.integer({ min: -3, max: 1e6 }).map(String),
  fc.constantFrom(
    '0',
    '1',
    '2',
    '0.1',
    '1.50',
    '9007199254740991',
    '1e20',
    '"a"',
    '""',
    '"12"',
    'true',
    'false',
  ),
  fc.constantFrom('null', '[]', '{}', '|2024-01-01|', '/a/', '$', '$$', '$$$', '1 to 3', '(3 to 1)'),
  fc.string({ maxLength: 5 }).map((text) => JSON.stringify(text).replaceAll('$', '\\$')),
);
const INFIX = fc.constantFrom(
  ...'+ - * / == != ~= < > <= >= and or ++ -- default contains mod to << >>'.split(' '),
  ...'map filter reduce flatMap groupBy orderBy distinctBy mapObject filterObject pluck maxBy then onNull joinBy'.split(
    ' ',
  ),
);
const CALLS = fc.constantFrom(
  ...'upper lower trim sizeOf sum isEmpty typeOf flatten keysOf valuesOf max abs round floor isEven log not'.split(
    ' ',
  ),
);
const SELECTORS = fc.constantFrom(
  '.a',
  '.b',
  '.*a',
  '..a',
  '[0]',
  '[-1]',
  '[0 to 1]',
  '.constructor',
  '.__proto__',
  '.a?',
  '.a!',
  '[?($ == 1)]',
  '["a"]',
);

/** Scripts of every construct, most of them wrong for most data. `x`, `y` and the dollars are always bound. */
const randomScript: fc.Arbitrary<string> = fc
  .letrec<{ expr: string }>((tie) => ({
    expr: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      LITERALS,
      NAMES,
      fc.tuple(tie('expr'), INFIX, tie('expr')).map(([a, op, b]) => `(${a}) ${op} (${b})`),
      fc.tuple(tie('expr'), INFIX, tie('expr')).map(([a, op, b]) => `(${a}) ${op} ((x, y) -> ${b})`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `(${a}) reduce ((x, y = 0) -> ${b})`),
      fc.tuple(CALLS, tie('expr')).map(([f, a]) => `${f}(${a})`),
      fc.tuple(tie('expr'), SELECTORS).map(([a, selector]) => `(${a})${selector}`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `[${a}, ${b}]`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `{a: ${a}, "b": ${b}}`),
      fc
        .tuple(tie('expr'), tie('expr'), tie('expr'))
        .map(([a, b, c]) => `{a: ${a}, ("k" ++ ${b}): 1, (c: ${c}) if (x == 1), (${a})}`),
      fc.tuple(tie('expr'), tie('expr'), tie('expr')).map(([a, b, c]) => `if (${a}) ${b} else (${c})`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `"<$(${a})|$(${b})>"`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `do { var x = ${a} fun y(n) = n ++ x --- ${b} }`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `do { fun f(x, y = 1) = ${a} --- f(${b}) }`),
      fc
        .tuple(tie('expr'), tie('expr'))
        .map(([a, b]) => `do { fun f(x: Number): String = ${a} --- f(${b}) }`),
      fc
        .tuple(tie('expr'), tie('expr'), tie('expr'))
        .map(
          ([a, b, c]) =>
            `((${a}) match { case 1 -> ${b} case is String -> ${c} case x if (x == null) -> $ case matches /a(.*)/ -> $[0] else y -> [y, ${b}] })`,
        ),
      tie('expr').map((a) => `((${a}) as Number)`),
      tie('expr').map((a) => `((${a}) as String)`),
      tie('expr').map((a) => `((${a}) is Object)`),
      tie('expr').map((a) => `-(${a})`),
      tie('expr').map((a) => `!(${a})`),
      tie('expr').map((a) => `((x) -> ${a})(1)`),
      tie('expr').map((a) => `(payload update { case .a -> ${a} })`),
    ),
  }))
  .expr.map((expr) => `var x = payload.a\nvar y = 2\n---\n[payload, vars] map (${expr})`);

const pick = fc.constantFrom;
/** `made` of its parts. */
const of = (made: (...parts: string[]) => string, ...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((given) => made(...given));

/**
 * Expressions that are right for an order `o` and a number `i`: most of them give a value, so wrong code shows as a
 * wrong value instead of hiding behind an error that both back ends give.
 */
const typed = fc.letrec<Record<'number' | 'text' | 'truth' | 'list' | 'record', string>>((tie) => {
  const [n, t, b, l, r] = (['number', 'text', 'truth', 'list', 'record'] as const).map((kind) =>
    tie(kind),
  ) as [
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
    fc.Arbitrary<string>,
  ];
  const limits = { maxDepth: 3, withCrossShrink: true };
  return {
    number: fc.oneof(
      limits,
      pick('i', 'o.id', 'o.price', 'o.count', 'o.at.zip', '0', '1', '2', '7', '0.5', '9007199254740991'),
      of((x, op, y) => `(${x} ${op} ${y})`, n, pick('+', '-', '*', 'mod'), n),
      of((x, y) => `(${x} / ${y})`, n, pick('2', '3', '0.25')),
      of((x) => `-(${x})`, n),
      of((word, c, x, y) => `(${word} (${c}) ${x} else ${y})`, pick('if', 'unless'), b, n, n),
      of((f, x) => `${f}(${x})`, pick('sum', 'sizeOf'), l),
      of((x, y) => `(${x} reduce ((x, acc = ${y}) -> x - acc))`, l, pick('0', '1', '10')),
      of((x, op) => `((${x} reduce ($ ${op} $$)) default 3)`, l, pick('+', '-', '*')),
      of((x, y) => `(${x}[${y}] default -1)`, l, pick('0', '1', '-1')),
      of((x, y) => `do { var v = ${x} fun f(q) = q - v --- f(${y}) }`, n, n),
      of((x, y, z) => `(${x} match { case 1 -> ${y} case q if (q > 2) -> q else -> ${z} })`, n, n, n),
      of((x) => `(${x}.a default 4)`, r),
    ),
    text: fc.oneof(
      limits,
      pick('o.name', 'o.at.city', '"x"', '""', '"b c"'),
      of((x, y) => `(${x} ++ ${y})`, t, t),
      of((x, y) => `"<$(${x})$(${y})>"`, n, t),
      of((f, x) => `${f}(${x})`, pick('upper', 'lower', 'trim'), t),
      of((c, x, y) => `(if (${c}) ${x} else ${y})`, b, t, t),
      of((x) => `(${x} as String)`, n),
    ),
    truth: fc.oneof(
      limits,
      pick('true', 'false', 'o.open'),
      of((x, op, y) => `(${x} ${op} ${y})`, n, pick('<', '>', '<=', '>=', '==', '!='), n),
      of((x, op, y) => `(${x} ${op} ${y})`, t, pick('<', '>=', '==', '!=', '~='), t),
      of((x, op, y) => `(${x} ${op} ${y})`, b, pick('and', 'or', '=='), b),
      of((x, op, y) => `(${x} ${op} ${y})`, r, pick('==', '!='), r),
      of((x, op, y) => `(${x} ${op} ${y})`, l, pick('==', '!='), l),
      of((x, y) => `(${x} contains ${y})`, l, n),
      of((x) => `isEmpty(${x})`, l),
      of((op, x) => `${op}(${x})`, pick('!', 'not '), b),
    ),
    list: fc.oneof(
      limits,
      pick('o.counts', '[]', '[3, 1, 2]', '(1 to 4)', '(4 to 2)'),
      of((x, y, c) => `[${x}, (${y}) if (${c})]`, n, n, b),
      of((x, f, y) => `(${x} ${f} ((i) -> ${y}))`, l, pick('map', 'orderBy', 'distinctBy'), n),
      of((x, f, y) => `(${x} ${f} ((q, i) -> ${y}))`, l, pick('map', 'orderBy', 'distinctBy'), n),
      of((x, op, y) => `(${x} map ($ ${op} ${y}))`, l, pick('+', '-', '*'), n),
      of((x) => `(${x} map ($$ - $))`, l),
      of((x, y) => `(${x} filter ((i) -> ${y}))`, l, b),
      of((x, op, y) => `(${x} filter ($ ${op} ${y}))`, l, pick('<', '>='), n),
      of((x, y) => `(${x} flatMap ((i) -> ${y}))`, l, l),
      of((x, y) => `(${x} groupBy ((i) -> ${y}) pluck ((v, k, j) -> sum(v) - j))`, l, t),
      of((x, y) => `(${x} ++ ${y})`, l, l),
      of((x, y) => `(${x} ${y})`, l, pick('- 1', '+ 9', '<< 2')),
    ),
    record: fc.oneof(
      limits,
      pick('o', 'o.at', '{}', '{b: 1, a: 2}', '{"2": 1, "1": 2}'),
      of((x, y, z) => `{a: ${x}, "b c": ${y}, d: ${z}}`, n, t, l),
      of((x, y, z) => `{(${x}): ${y}, a: ${z}}`, t, n, n),
      of((x, y, c) => `{(a: ${x}) if (${c}), e: ${y}}`, n, b, b),
      of((x, y) => `(${x} mapObject ((v, k, j) -> {(k ++ ${y}): v, n: j}))`, r, t),
      of((x, y) => `(${x} filterObject ((v, k, i) -> ${y}))`, r, b),
      of((x, y) => `(${x} ++ ${y})`, r, r),
    ),
  };
});

const INPUTS = ['payload', 'vars', 'args'];
const GLOBALS = new Set(['Array', 'Object']);

/** Every name that the code uses and does not itself declare. */
function freeNames(source: string): Set<string> {
  const tree = parseJavaScript(source, { ecmaVersion: 2022, allowReturnOutsideFunction: true });
  const declared = new Set<string>();
  const used = new Set<string>();
  const declare = (pattern: Pattern): void => {
    if (pattern.type !== 'Identifier') throw new Error(`an unexpected pattern: ${pattern.type}`);
    declared.add(pattern.name);
  };
  const visit = (node: AnyNode, parent?: AnyNode): void => {
    if (node.type === 'VariableDeclarator') declare(node.id);
    if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression')
      node.params.forEach(declare);
    if (node.type === 'CatchClause' && node.param) declare(node.param);
    if (node.type === 'Identifier') {
      const isMember = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed;
      const isLabel = parent?.type === 'LabeledStatement' || parent?.type === 'BreakStatement';
      if (!isMember && !isLabel) used.add(node.name);
    }
    for (const child of Object.values(node) as unknown[])
      for (const one of Array.isArray(child) ? (child as unknown[]) : [child])
        if (typeof one === 'object' && one !== null && 'type' in one) visit(one as AnyNode, node);
  };
  visit(tree);
  return new Set([...used].filter((name) => !declared.has(name)));
}

const allowed = new Set([...supportNames, ...GLOBALS, 'constants']);

function strangeNames(script: string): string[] {
  const { source } = generate(link(script, undefined), INPUTS);
  if (!source.startsWith('"use strict";')) throw new Error('the code is not strict');
  return [...freeNames(source)].filter((name) => !allowed.has(name));
}

function compiles(script: string): boolean {
  try {
    compile(script, { inputs: INPUTS });
    return true;
  } catch (error) {
    if (error instanceof StarlangError) return false;
    throw error;
  }
}

describe('generated code', () => {
  it.each([
    'payload."]; process.exit() //"',
    '{"a\\"}; process.exit(); ({\\"": payload["\\n"]}',
    '"\\${process.exit()} \\u2028 \\u2029 \\\\" ++ payload.`a b`',
    'fun process(require) = require.globalThis\n---\nprocess(payload)',
    'var constructor = 1\nvar eval = constructor\n---\n{constructor: eval, "__proto__": payload.__proto__}',
    'payload map ((this, arguments) -> this.arguments ++ arguments)',
    'payload match { case "*/ process.exit() /*" -> 1 case let -> let }',
    'payload map ((k0, t1) -> k0 + t1 + payload.M)',
    'do { fun F(M) = M.tick --- F(payload) }',
  ])('has no names but its own and those it is given: %s', (script) => {
    expect(strangeNames(script)).toEqual([]);
    const { closures, generated } = onBoth(script, { payload: { a: 1 } }, { inputs: INPUTS });
    expect(generated).toBe(closures);
  });

  it('of any script has no names but its own and those it is given', () => {
    fc.assert(
      fc.property(randomScript, (script) => {
        fc.pre(compiles(script));
        expect(strangeNames(script)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});

describe('both back ends', () => {
  const json = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(fc.record({ a: fc.integer(), b: fc.string(), c: fc.array(fc.double({ noNaN: true })) })),
  );

  it('agree on generated scripts and data', () => {
    fc.assert(
      fc.property(randomScript, json, json, (script, payload, vars) => {
        const bindings = { payload, vars, args: [1, 'a', null] };
        const { closures, generated } = onBoth(
          script,
          bindings,
          { inputs: INPUTS },
          { limits: { steps: 20_000 } },
        );
        expect(generated).toBe(closures);
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  it('agree on scripts that are right for their data', () => {
    const order = fc.record({
      id: fc.integer({ min: -3, max: 9 }),
      price: fc.integer({ min: 0, max: 2000 }).map((cents) => cents / 100),
      count: fc.nat(5),
      name: pick('', 'Ann', 'b', 'length', 'constructor'),
      open: fc.boolean(),
      counts: fc.array(fc.nat(4), { maxLength: 4 }),
      at: fc.record({ city: pick('Bonn', 'x'), zip: fc.nat(9) }),
    });
    const { number, text, truth, list, record } = typed;
    let values = 0;
    fc.assert(
      fc.property(
        fc.tuple(number, text, truth, list, record),
        fc.array(order, { minLength: 1, maxLength: 3 }),
        (parts, payload) => {
          const script = `payload map ((o, i) -> [${parts.join(', ')}])`;
          const { closures, generated } = onBoth(script, { payload }, { inputs: INPUTS });
          expect(generated).toBe(closures);
          if (closures.startsWith('value')) values++;
        },
      ),
      { numRuns: 100 },
    );
    expect(values).toBeGreaterThan(50);
  }, 120_000);

  const NAMES_OF_HOST = [Object.prototype, Array.prototype, String.prototype, Function.prototype]
    .flatMap((prototype) => Object.getOwnPropertyNames(prototype))
    .filter((name, i, all) => all.indexOf(name) === i);

  it('reach nothing of the host by a name', () => {
    const payload = { object: {}, list: [], items: [{}], text: 'text', many: { a: 1, '1': 2 } };
    const things = ['object', 'list', 'items', 'text', 'many', 'object as Object {a: 1}'];
    for (const name of NAMES_OF_HOST) {
      const key = JSON.stringify(name);
      const forms = [
        `.${key}`,
        `[${key}]`,
        '[(payload.name)]',
        `.*${key}`,
        `..${key}`,
        `.&${key}`,
        `.${key}?`,
        `.@${key}`,
      ];
      const reads = things.flatMap((thing) =>
        forms.map((form) => `((payload.${thing})${form} default null)`),
      );
      const script = `[${reads.join(', ')}]`;
      const { closures, generated } = onBoth(script, { payload: { ...payload, name } }, { inputs: INPUTS });
      expect(generated).toBe(closures);
      expect(closures).toMatch(/^value \[\n(?: {2}(?:null|false|\[\]),?\n)+\]$/);
    }
  }, 60_000);
});
