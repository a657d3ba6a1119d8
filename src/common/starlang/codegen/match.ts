import { compileMatch } from '../compile/match.js';
import type { Scope } from '../compile/scope.js';
import { compileTest } from '../compile/types.js';
import type { MatchCase, MatchNode } from '../syntax/ast.js';
import { isOf } from './conversions.js';
import type { Generator } from './generator.js';
import type { Atom } from './writer.js';

export function writeMatch(g: Generator, node: MatchNode, scope: Scope): Atom {
  if (node.cases.some(({ pattern }) => pattern.kind === 'array' || pattern.kind === 'object'))
    return g.bridge(compileMatch(g.c, node, scope), scope);
  const subject = g.expr(node.subject, scope);
  const [label, result] = [g.fresh('l'), g.fresh('t')];
  g.emit(`let ${result};`);
  const cases = g.nested(scope, () => {
    for (const one of node.cases) writeCase(g, one, scope, subject, label, result);
    g.emit(`noMatch(${subject.code}, ${g.constant(node)});`);
  });
  g.emit(`${label}: {\n${cases}\n}`);
  return { code: result, known: 'any' };
}

/** A case is a block that leaves the labelled one when it applies. */
function writeCase(
  g: Generator,
  node: MatchCase,
  scope: Scope,
  subject: Atom,
  label: string,
  result: string,
): void {
  const block = scope.block();
  const { pattern } = node;
  const text = g.nested(block, () => {
    let value = subject.code;
    if (pattern.kind === 'regex') {
      const regex = g.expr(pattern.value, block);
      value = g.temp(`groupsOf(() => ${regex.code}, ${value})`).code;
    }
    const applied = g.nested(block, () => {
      g.define(block, '$', value);
      if ('name' in pattern && pattern.name !== undefined) g.define(block, pattern.name, value);
      const body = () => g.emit(`${result} = ${g.expr(node.body, block).code}; break ${label};`);
      if (!node.guard) return body();
      const guard = g.truth(g.expr(node.guard, block), node.guard, 'The guard of a case');
      g.emit(`if (${guard}) {\n${g.nested(block, body)}\n}`);
    });
    const test = testOf(g, node, block, subject, value);
    g.emit(test === undefined ? applied : `if (${test}) {\n${applied}\n}`);
  });
  g.emit(`{\n${text}\n}`);
}

function testOf(
  g: Generator,
  { pattern }: MatchCase,
  block: Scope,
  { code }: Atom,
  value: string,
): string | undefined {
  switch (pattern.kind) {
    case 'literal': {
      const literal = g.expr(pattern.value, block);
      return `${code} === ${literal.code} || equals(${code}, ${literal.code})`;
    }
    case 'type':
      return isOf(g, compileTest(g.c, pattern.type, block), code);
    case 'regex':
      return `${value} !== void 0`;
    default:
      return undefined;
  }
}
