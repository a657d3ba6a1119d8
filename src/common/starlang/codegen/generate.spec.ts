import { parse as parseJavaScript, type AnyNode, type Pattern } from 'acorn';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, parse, StarlangError } from '../index.js';
import { onBoth } from '../testing/both-backends.js';
import { randomScript } from '../testing/random-script.js';
import { generate, supportNames } from './generate.js';

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
  const { source } = generate(script, parse(script).ast, INPUTS);
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
});
