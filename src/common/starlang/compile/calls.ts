import { Fault, typeFault } from '../errors/fault.js';
import type { LibraryFunction } from '../library/define.js';
import { numberText } from '../numbers/decimal.js';
import { callLibrary, paramAt } from '../runtime/dispatch.js';
import { join, machine } from '../runtime/machine.js';
import type { CallNode, Expr } from '../syntax/ast.js';
import { Fn } from '../values/fn.js';
import { kindOf } from '../values/kind.js';
import { preview } from '../values/text.js';
import { TypeValue } from '../values/type-value.js';
import { coerce } from '../values/coerce.js';
import type { Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec } from './exec.js';
import { compileCallback } from './lambdas.js';
import { resolveName } from './names.js';
import type { Scope, Signature } from './scope.js';

export function compileCall(c: Compiler, node: CallNode, scope: Scope): Exec {
  if (node.infix) warnOfSwallowedCondition(c, node);
  const resolved = node.callee.kind === 'name' ? resolveName(c, node.callee, scope) : undefined;
  if (resolved?.binding.kind === 'library') return compileLibraryCall(c, node, scope, resolved.binding.fn);
  const signatures = resolved?.binding.kind === 'slot' ? resolved.binding.signatures : undefined;
  const callee = c.expr(node.callee, scope);
  const args = compileArgs(c, node, scope, signatures);
  const name = node.callee.kind === 'name' ? node.callee.name : 'function';
  return (frame) => {
    const fn = callee(frame);
    const values = args.map((arg) => arg(frame));
    return callValue(fn, values, node, name);
  };
}

export function callValue(fn: Value, args: Value[], node: CallNode, name: string): Value {
  try {
    if (fn instanceof Fn) {
      const { required } = fn;
      if (args.length < required || (args.length > fn.params.length && fn.name === name))
        throw typeFault(
          `The function "${name}" takes ${arityText(required, fn.params.length)} but got ${args.length}`,
        );
      return fn.invoke(...args);
    }
    if (fn instanceof TypeValue && args.length === 1) return coerce(args[0] as Value, fn);
    throw typeFault(`"${name}" is no function but ${kindOf(fn)} (${preview(fn)})`);
  } catch (error) {
    locate(error, node);
    if (error instanceof Fault) error.trace.push({ name, offset: node.start });
    throw error;
  }
}

const arityText = (min: number, max: number) =>
  min === max ? (min === 1 ? '1 argument' : `${min} arguments`) : `${min} to ${max} arguments`;

function compileArgs(
  c: Compiler,
  node: CallNode,
  scope: Scope,
  signatures: readonly Signature[] | undefined,
): Exec[] {
  const count = node.args.length;
  return node.args.map((arg, i) => {
    if (node.infix && i === 0) return c.expr(arg, scope);
    let callback = -1;
    for (const { min, max, callbacks } of signatures ?? [])
      if (count >= min && count <= max) callback = Math.max(callback, callbacks[i] ?? -1);
    return callback < 0 ? c.expr(arg, scope) : compileCallback(c, arg, scope, callback);
  });
}

function compileLibraryCall(c: Compiler, node: CallNode, scope: Scope, fn: LibraryFunction): Exec {
  const count = node.args.length;
  const fitting = fn.overloads.filter(({ min, params }) => count >= min && count <= params.length);
  if (fitting.length === 0) {
    const min = Math.min(...fn.overloads.map((overload) => overload.min));
    const max = Math.max(...fn.overloads.map(({ params }) => params.length));
    return c.problem(
      node,
      'type',
      `The function "${fn.name}" takes ${arityText(min, max)} but got ${count}`,
      fn.signatures.join('\n'),
    );
  }
  const args = node.args.map((arg, i) => {
    const callback = Math.max(...fitting.map((overload) => paramAt(overload, i, count)?.callback ?? -1));
    return callback < 0 || (node.infix && i === 0)
      ? c.expr(arg, scope)
      : compileCallback(c, arg, scope, callback);
  });
  if (fn.name === '++') return concatenation(node, fn, args as [Exec, Exec]);
  const run = (values: Value[]): Value => {
    const { depth } = machine;
    try {
      return callLibrary(fn, values);
    } catch (error) {
      machine.depth = depth;
      locate(error, node);
      if (error instanceof Fault) error.trace.push({ name: fn.name, offset: node.start });
      throw error;
    }
  };
  const [a, b] = args;
  if (count === 1 && a) return (frame) => run([a(frame)]);
  if (count === 2 && a && b) return (frame) => run([a(frame), b(frame)]);
  return (frame) => run(args.map((arg) => arg(frame)));
}

function concatenation(node: CallNode, fn: LibraryFunction, [left, right]: [Exec, Exec]): Exec {
  return (frame) => {
    const [a, b] = [left(frame), right(frame)];
    try {
      return concatenated(fn, a, b);
    } catch (error) {
      throw locate(error, node);
    }
  };
}

/** `a ++ b`: texts, and a text with a number, are joined without a search for the overload. */
export function concatenated(fn: LibraryFunction, a: Value, b: Value): Value {
  const text =
    typeof a === 'string' ? a : typeof a === 'number' && typeof b === 'string' ? numberText(a) : null;
  if (text === null) return callLibrary(fn, [a, b]);
  const more = typeof b === 'string' ? b : typeof b === 'number' ? numberText(b) : null;
  if (more === null) return callLibrary(fn, [a, b]);
  join(text.length + more.length, Math.max(text.length, more.length));
  return text + more;
}

/** `a contains "x" or b contains "y"` is `a contains ("x" or b) …`: legal, hardly ever meant. */
function warnOfSwallowedCondition(c: Compiler, node: CallNode): void {
  const right = node.args[1];
  if (!right || right.grouped || right.kind !== 'binary' || !isLogical(right)) return;
  if (node.callee.kind !== 'name') return;
  const { name } = node.callee;
  if (TAKES_CONDITION.has(name)) return;
  c.warn(
    right,
    `"${right.op}" binds tighter than "${name}": this reads ${name} (… ${right.op} …)`,
    `write (… ${name} …) ${right.op} (…)`,
  );
}

const TAKES_CONDITION = new Set(
  (
    'filter map filterObject mapObject pluck every some countBy everyEntry someEntry takeWhile dropWhile partition ' +
    'firstWith indexWhere splitWhere reduce flatMap groupBy distinctBy orderBy then onNull filterTree everyCharacter ' +
    'someCharacter countCharactersBy'
  ).split(' '),
);

function isLogical(node: Extract<Expr, { kind: 'binary' }>): boolean {
  return ['or', 'and', '==', '!=', '~=', '<', '>', '<=', '>='].includes(node.op);
}
