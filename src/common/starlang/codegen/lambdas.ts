import { compileCallback, compileFunction, IMPLICIT_PARAMS } from '../compile/lambdas.js';
import type { Scope } from '../compile/scope.js';
import type { Expr, LambdaNode } from '../syntax/ast.js';
import type { Generator } from './generator.js';
import type { Atom } from './writer.js';

export const DOLLARS = ['$', '$$', '$$$'];

/** Neither types nor defaults: called without checks. */
export const isSimple = ({ params, result, generics }: LambdaNode) =>
  !result && !generics?.length && params.every(({ type, value }) => !type && !value);

export function writeLambda(
  g: Generator,
  node: LambdaNode,
  scope: Scope,
  name = 'lambda',
  implicit = false,
): Atom {
  if (!isSimple(node)) return writeChecked(g, node, scope, name, implicit);
  const params = node.params.map((param) => ({ name: param.name, optional: false }));
  const code = simpleFunction(g, node, scope, implicit);
  return g.temp(`new Fn(${JSON.stringify(name)}, ${g.constant(params)}, ${code})`, 'function');
}

/** The JavaScript function of a simple lambda. */
export function simpleFunction(g: Generator, node: LambdaNode, scope: Scope, implicit = false): string {
  const inner = scope.inner();
  g.addUnit(inner, scope);
  const names = implicit && node.params.length === 0 ? DOLLARS : node.params.map(({ name }) => name);
  return functionOf(g, inner, names, node.body);
}

function functionOf(g: Generator, inner: Scope, names: readonly string[], body: Expr): string {
  const params = names.map(() => g.fresh('a'));
  const text = g.functionBody(inner, () => {
    for (const [i, name] of names.entries()) g.define(inner, name, params[i] as string);
    g.emit('enter();');
    const { code } = g.expr(body, inner);
    g.emit(`leave();\nreturn ${code};`);
  });
  return `(${params.join(', ')}) => {\n${text}\n}`;
}

/** Arguments and result are checked by the code of the closures, around a body of our own. */
function writeChecked(g: Generator, node: LambdaNode, scope: Scope, name: string, implicit: boolean): Atom {
  let text = '';
  const frame = g.fresh('F');
  const make = compileFunction(g.c, node, scope, name, implicit, (inner) => {
    const unit = g.addUnit(inner, scope);
    text = g.functionBody(inner, () => {
      unit.home = frame;
      for (const binding of inner.names.values()) {
        if (binding.kind !== 'slot') continue;
        const local = g.fresh('a');
        g.emit(`const ${local} = ${frame}[${binding.index}];`);
        g.places.set(binding, { in: 'local', code: local });
        unit.slots.push({ index: binding.index, code: local });
      }
      g.emit(`return ${g.expr(node.body, inner).code};`);
    });
    return () => null;
  });
  return g.temp(`${g.constant(make)}(${g.unit(scope).frame()}, (${frame}) => {\n${text}\n})`, 'function');
}

/** An argument for a function-typed parameter of `count` parameters. */
export function writeCallback(g: Generator, node: Expr, scope: Scope, count: number): Atom {
  if (node.kind === 'lambda') return writeLambda(g, node, scope, 'lambda', count > 0);
  if (count === 0) {
    const text = g.functionBody(scope, () => g.emit(`return called(${g.expr(node, scope).code});`));
    return g.temp(`new Fn("thunk", ${g.constant([])}, () => {\n${text}\n})`, 'function');
  }
  const inner = scope.inner();
  g.addUnit(inner, scope);
  const code = functionOf(g, inner, DOLLARS, node);
  const used = DOLLARS.some((dollar) => isUsed(inner, dollar));
  if (!used) return g.bridge(compileCallback(g.c, node, scope, count), scope);
  return g.temp(`new Fn("lambda", ${g.constant(IMPLICIT_PARAMS)}, ${code})`, 'function');
}

export function isUsed(scope: Scope, name: string): boolean {
  const binding = scope.names.get(name);
  return binding?.kind === 'slot' && binding.used === true;
}
