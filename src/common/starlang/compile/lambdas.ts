import { coerceArgument } from '../runtime/dispatch.js';
import { typeFault } from '../errors/fault.js';
import { enter, leave } from '../runtime/machine.js';
import type { Expr, LambdaNode, Param } from '../syntax/ast.js';
import { accepts } from '../values/accepts.js';
import { constantFn, Fn, type FnParam, type Invoke } from '../values/fn.js';
import { kindOf } from '../values/kind.js';
import { preview } from '../values/text.js';
import { TypeValue } from '../values/type-value.js';
import type { Value } from '../values/value.js';
import { compileType } from './types.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec, type Frame } from './exec.js';
import type { Scope, Signature } from './scope.js';

export function compileLambda(
  c: Compiler,
  node: LambdaNode,
  scope: Scope,
  name = 'lambda',
  implicit = false,
): Exec {
  const make = compileFunction(c, node, scope, name, implicit);
  return (frame) => make(frame);
}

/** The function a lambda or `fun` makes in a frame. */
export function compileFunction(
  c: Compiler,
  node: LambdaNode,
  scope: Scope,
  name: string,
  implicit = false,
  bodyOf = (inner: Scope): Exec => c.expr(node.body, inner),
): (frame: Frame, body?: Exec) => Fn {
  const inner = scope.inner();
  for (const { name: parameter, bound } of node.generics ?? [])
    inner.types.set(
      parameter,
      new TypeValue({ kind: 'parameter', name: parameter, bound: bound && compileType(c, bound, inner) }),
    );
  const params = node.params.map((param) => compileParam(c, param, inner));
  if (implicit && params.length === 0) for (const dollar of ['$', '$$', '$$$']) inner.define(dollar);
  const compiled = bodyOf(inner);
  const result = node.result && compileType(c, node.result, inner);
  const info: FnParam[] = params.map(({ name: parameter, type, value }) => ({
    name: parameter,
    ...(type ? { type } : {}),
    optional: value !== undefined,
  }));
  const simple = params.every(({ type, value }) => !type && !value) && !result;
  const second = params[1]?.value;
  return (frame, body = compiled) => {
    const invoke = simple
      ? simpleInvoke(frame, body, params.length)
      : checkedInvoke(frame, name, node, params, body, result);
    if (second) invoke.start = () => second([frame]);
    return new Fn(name, info, invoke, result);
  };
}

interface CompiledParam {
  name: string;
  type: TypeValue | undefined;
  value: Exec | undefined;
}

function compileParam(c: Compiler, param: Param, inner: Scope): CompiledParam {
  const value = param.value && c.expr(param.value, inner);
  const type = param.type && compileType(c, param.type, inner);
  const binding = inner.define(param.name);
  if (param.type?.kind === 'functionType') {
    const count = param.type.params.length;
    binding.signatures = [
      { min: count, max: count, callbacks: param.type.params.map((p) => callbackCount(p.type)) },
    ];
  }
  return { name: param.name, type, value };
}

const callbackCount = (type: { kind: string; params?: unknown[] }) =>
  type.kind === 'functionType' ? (type.params?.length ?? 0) : -1;

/** What callers may know of a function before it is made. */
export function signatureOf(node: LambdaNode): Signature {
  return {
    min: node.params.filter(({ value }) => !value).length,
    max: node.params.length,
    callbacks: node.params.map(({ type }) => (type ? callbackCount(type) : -1)),
  };
}

function simpleInvoke(frame: Frame, body: Exec, count: number): Invoke {
  const parent = frame as unknown as Value;
  switch (count) {
    case 1:
      return (a) => {
        enter();
        const value = body([parent, a]);
        leave();
        return value;
      };
    case 2:
      return (a, b) => {
        enter();
        const value = body([parent, a, b]);
        leave();
        return value;
      };
    default:
      return (...args) => {
        enter();
        args.unshift(parent);
        const value = body(args);
        leave();
        return value;
      };
  }
}

function checkedInvoke(
  parent: Frame,
  name: string,
  node: LambdaNode,
  params: readonly CompiledParam[],
  body: Exec,
  result: TypeValue | undefined,
): Invoke {
  // With a leading optional parameter the arguments fill from the right.
  const shifted = params[0]?.value !== undefined;
  return (...args) => {
    enter();
    const frame: Frame = [parent];
    const skip = shifted ? Math.max(0, params.length - args.length) : 0;
    for (let i = 0; i < params.length; i++) {
      const { type, value, name: parameter } = params[i] as CompiledParam;
      let arg = i < skip ? undefined : args[i - skip];
      if (arg === undefined) arg = value ? value(frame) : null;
      else if (type && !accepts(type, arg)) arg = coerceParam(name, parameter, type, arg);
      frame[i + 1] = arg;
    }
    let out = body(frame);
    if (result && !accepts(result, out)) {
      const coerced = coerceArgument(result, out);
      if (coerced === undefined)
        throw locate(
          typeFault(
            `The function "${name}" must give ${result.toString()} but gave ${kindOf(out)} (${preview(out)})`,
          ),
          node.body,
        );
      out = coerced;
    }
    leave();
    return out;
  };
}

function coerceParam(fn: string, param: string, type: TypeValue, arg: Value): Value {
  if (type.resolved().shape.kind === 'function') {
    return constantFn(arg);
  }
  const coerced = coerceArgument(type, arg);
  if (coerced === undefined)
    throw typeFault(
      `The parameter "${param}" of "${fn}" takes ${type.toString()} but got ${kindOf(arg)} (${preview(arg)})`,
    );
  return coerced;
}

/** Does the function take these arguments as they are (`exact`) or coerced? */
export function takesArguments({ params }: Fn, args: readonly Value[], exact: boolean): boolean {
  const min = params.filter(({ optional }) => !optional).length;
  if (args.length < min || args.length > params.length) return false;
  return args.every((arg, i) => {
    const type = params[i]?.type;
    if (!type || accepts(type, arg)) return true;
    return !exact && coerceArgument(type, arg) !== undefined;
  });
}

/** An argument for a function-typed parameter of `count` parameters: see the `$` rule. */
export function compileCallback(c: Compiler, node: Expr, scope: Scope, count: number): Exec {
  if (node.kind === 'lambda') return compileLambda(c, node, scope, 'lambda', count > 0);
  if (count === 0) {
    const body = c.expr(node, scope);
    return (frame) => new Fn('thunk', [], () => called(body(frame)));
  }
  const inner = scope.inner();
  const dollars = ['$', '$$', '$$$'].map((dollar) => inner.define(dollar));
  const body = c.expr(node, inner);
  if (dollars.some(({ used }) => used))
    return (frame) => new Fn('lambda', IMPLICIT_PARAMS, implicitInvoke(frame, body));
  return (frame) => {
    const value = body([frame, null, null, null]);
    return value instanceof Fn ? value : constantFn(value);
  };
}

export const IMPLICIT_PARAMS: FnParam[] = [
  { name: '$', optional: true },
  { name: '$$', optional: true },
  { name: '$$$', optional: true },
];

export const called = (value: Value): Value =>
  value instanceof Fn && value.required === 0 ? value.invoke() : value;

function implicitInvoke(frame: Frame, body: Exec): Invoke {
  const parent = frame as unknown as Value;
  return (a, b, d) => {
    enter();
    const value = body([parent, a, b, d]);
    leave();
    return value;
  };
}
