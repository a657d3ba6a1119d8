import type { Scope } from '../compile/scope.js';
import type { BinaryNode, Expr, IfNode, UnaryNode } from '../syntax/ast.js';
import type { Generator } from './generator.js';
import type { Atom, Known } from './writer.js';

export function writeUnary(g: Generator, node: UnaryNode, scope: Scope): Atom {
  const { code, known } = g.expr(node.operand, scope);
  if (node.op === '-')
    return g.temp(
      `typeof ${code} === "number" ? (${code} === 0 ? 0 : -${code}) : negative(${code}, ${g.constant(node)})`,
    );
  if (known === 'boolean') return g.temp(`!${code}`, 'boolean');
  return g.temp(
    `typeof ${code} === "boolean" ? !${code} : !truth(${code}, ${JSON.stringify(`"${node.op}"`)}, ${g.constant(node)})`,
    'boolean',
  );
}

export function writeIf(g: Generator, node: IfNode, scope: Scope): Atom {
  const test = g.truth(g.expr(node.condition, scope), node.condition, 'The condition of an if');
  return either(g, scope, node.negated ? `!${test}` : test, node.yes, node.no);
}

/** One of two expressions, decided by a condition. */
function either(g: Generator, scope: Scope, test: string, yes: Expr, no: Expr): Atom {
  const name = g.fresh('t');
  g.emit(`let ${name};`);
  const kinds: Known[] = [];
  const branch = (expr: Expr) =>
    g.nested(scope, () => {
      const value = g.expr(expr, scope);
      kinds.push(value.known);
      g.emit(`${name} = ${value.code};`);
    });
  g.emit(`if (${test}) {\n${branch(yes)}\n} else {\n${branch(no)}\n}`);
  return { code: name, known: kinds[0] === kinds[1] ? (kinds[0] as Known) : 'any' };
}

export function writeBinary(g: Generator, node: BinaryNode, scope: Scope): Atom {
  const { op } = node;
  if (op === 'and' || op === 'or') return logical(g, node, scope);
  if (op === 'default') return withDefault(g, node, scope);
  const a = g.expr(node.left, scope);
  const b = g.expr(node.right, scope);
  switch (op) {
    case '==':
      return g.temp(equality(a, b), 'boolean');
    case '!=':
      return g.temp(`!(${equality(a, b)})`, 'boolean');
    case '~=':
      return g.temp(`similar(${a.code}, ${b.code})`, 'boolean');
    case '<':
    case '>':
    case '<=':
    case '>=':
      return ordered(g, node, op, a, b);
    case '+':
      return arithmetic(g, node, a, b, 'addNumbers', 'plus');
    case '-':
      return arithmetic(g, node, a, b, 'subtractNumbers', 'minus');
    case '*':
      return arithmetic(g, node, a, b, 'multiplyNumbers', 'times');
    case '/':
      return g.temp(`dividedBy(${a.code}, ${b.code}, ${g.constant(node)})`);
    case '<<':
      return g.temp(`pushRight(${a.code}, ${b.code}, ${g.constant(node)})`);
    case '>>':
      return g.temp(`pushLeft(${a.code}, ${b.code}, ${g.constant(node)})`);
  }
}

function logical(g: Generator, node: BinaryNode, scope: Scope): Atom {
  const where = `"${node.op}"`;
  const name = g.fresh('t');
  g.emit(`let ${name} = ${g.truth(g.expr(node.left, scope), node.left, where)};`);
  const right = g.nested(scope, () =>
    g.emit(`${name} = ${g.truth(g.expr(node.right, scope), node.right, where)};`),
  );
  g.emit(`if (${node.op === 'and' ? name : `!${name}`}) {\n${right}\n}`);
  return { code: name, known: 'boolean' };
}

function withDefault(g: Generator, node: BinaryNode, scope: Scope): Atom {
  const name = g.fresh('t');
  const depth = g.fresh('d');
  let quiet = false;
  const left = g.nested(scope, () => {
    const value = g.expr(node.left, scope);
    quiet = value.literal !== undefined || node.left.kind === 'implicit';
    g.emit(`${name} = ${value.code};`);
  });
  g.emit(`let ${name};`);
  if (quiet) g.emit(left);
  else
    g.emit(
      `const ${depth} = ${g.machine}.depth;\ntry {\n${left}\n} catch (e) { ${name} = attempted(e, ${depth}); }`,
    );
  const right = g.nested(scope, () => g.emit(`${name} = ${g.expr(node.right, scope).code};`));
  g.emit(`if (${name} === null || typeof ${name} === "object" && isNull(${name})) {\n${right}\n}`);
  return { code: name, known: 'any' };
}

function equality(a: Atom, b: Atom): string {
  const short = [a, b].some(
    ({ literal, known }) => literal !== undefined || (known !== 'any' && known !== 'string'),
  );
  const same = short ? `${a.code} === ${b.code}` : `same(${a.code}, ${b.code})`;
  const objects = [a, b].filter(({ known }) => known === 'any' || known === 'array' || known === 'object');
  if (objects.length === 0) return same;
  // Two values that are no objects are equal when they are the same.
  const isObject = objects.map(({ code }) => `typeof ${code} === "object"`).join(' || ');
  return `${same} || (${isObject}) && equals(${a.code}, ${b.code})`;
}

function areNumbers(a: Atom, b: Atom): string | undefined {
  const checks = [a, b].filter(({ known }) => known !== 'number');
  if (checks.some(({ known }) => known !== 'any')) return undefined;
  return checks.map(({ code }) => `typeof ${code} === "number"`).join(' && ') || 'true';
}

function ordered(g: Generator, node: BinaryNode, op: string, a: Atom, b: Atom): Atom {
  const fast = areNumbers(a, b);
  const slow = `compare(${a.code}, ${b.code}, ${g.constant(node)}) ${op} 0`;
  return g.temp(fast ? `${fast} ? ${a.code} ${op} ${b.code} : ${slow}` : slow, 'boolean');
}

function arithmetic(
  g: Generator,
  node: BinaryNode,
  a: Atom,
  b: Atom,
  numbers: string,
  operator: string,
): Atom {
  const fast = areNumbers(a, b);
  const slow = `${operator}(${a.code}, ${b.code}, ${g.constant(node)})`;
  return g.temp(fast ? `${fast} ? ${numbers}(${a.code}, ${b.code}) : ${slow}` : slow);
}
