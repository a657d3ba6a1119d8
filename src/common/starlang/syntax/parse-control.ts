import type { DoNode, Expr, IfNode, UsingNode } from './ast.js';
import { parseDirectives } from './parse-directives.js';
import type { Parser } from './parser.js';

export function parseIf(p: Parser): IfNode {
  const { start, text } = p;
  p.next();
  const condition = parseGuard(p, `after "${text}"`);
  const yes = p.expr();
  if (!p.isWord('else'))
    p.fail(
      `Expected "else" but found ${p.found()}`,
      undefined,
      undefined,
      'an if has always an else; for an optional entry write (key: value) if (condition)',
    );
  p.next();
  const no = p.expr();
  return {
    kind: 'if',
    negated: text === 'unless',
    condition,
    yes,
    no,
    start,
    end: no.end,
  };
}

/** `( expr )`, read as a group even when an arrow follows. */
export function parseGuard(p: Parser, where: string): Expr {
  if (!p.is('(')) p.fail(`Expected "(" ${where} but found ${p.found()}`);
  p.next();
  const condition = p.expr();
  p.expect(')', 'after the condition');
  return condition;
}

export function parseDo(p: Parser): DoNode {
  const { start } = p;
  p.next();
  p.expect('{', 'after "do"');
  const directives = parseDirectives(p);
  while (p.accept('---'));
  const body = p.expr();
  p.expect('}', 'to close the do block');
  return { kind: 'do', directives, body, start, end: p.lastEnd };
}

export function parseUsing(p: Parser): UsingNode {
  const { start } = p;
  p.next();
  p.expect('(', 'after "using"');
  const bindings: UsingNode['bindings'] = [];
  while (!p.is(')') && p.kind !== 'end') {
    const at = p.start;
    const name = p.identifier('a variable');
    p.expect('=', `after "${name}"`);
    bindings.push({ name, value: p.expr(), start: at });
    if (!p.accept(',')) break;
  }
  p.expect(')', 'after the variables');
  const body = p.expr();
  return { kind: 'using', bindings, body, start, end: body.end };
}
