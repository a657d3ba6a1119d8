import { didYouMean } from '../errors/suggest.js';
import { typeFault } from '../errors/fault.js';
import { FORBIDDEN_MODULES, moduleNames } from '../library/registry.js';
import type { Directive, ImportDirective, Node } from '../syntax/ast.js';
import { accepts } from '../values/accepts.js';
import { coerce } from '../values/coerce.js';
import { Fn } from '../values/fn.js';
import { preview } from '../values/text.js';
import { kindOf } from '../values/kind.js';
import { ANY, TypeValue } from '../values/type-value.js';
import type { Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { locate, UNSET, type Exec, type Frame } from './exec.js';
import { compileFunction, signatureOf, takesArguments } from './lambdas.js';
import type { Scope } from './scope.js';
import { findModule, memberNames, memberOf, typeInModule } from './modules.js';
import { isTailRecursive, withoutTailCalls } from './tail-recursion.js';
import { compileType } from './types.js';

type Begin = (frame: Frame) => void;

/** The functions of a name: its slot and the overloads in the order they are tried. */
export type Functions = ReadonlyMap<string, { index: number; nodes: FunNode[] }>;

/** Makes every name, type, namespace and module known in `scope`. */
export function declareDirectives(c: Compiler, directives: readonly Directive[], scope: Scope): Functions {
  for (const directive of directives) {
    if (directive.kind === 'ns') scope.namespaces.set(directive.prefix, directive.uri);
    if (directive.kind === 'import') compileImport(c, directive, scope);
  }
  declareTypes(c, directives, scope);
  const functions = declareFunctions(directives, scope);
  // Functions see every variable, a variable the ones before it and every function.
  for (const directive of directives) {
    if (directive.kind !== 'var') continue;
    scope.define(directive.name, true);
    scope.frame.size++;
  }
  return functions;
}

/** Declares everything in `scope`; the result sets a frame up. Undefined when there is nothing to set. */
export function compileDirectives(
  c: Compiler,
  directives: readonly Directive[],
  scope: Scope,
): Begin | undefined {
  const functions = declareDirectives(c, directives, scope);
  const begins: Begin[] = [];
  for (const [name, { index, nodes }] of functions) {
    const makes = nodes.map((node) => compileFunction(c, node, scope, name));
    begins.push((frame) => {
      const made = makes.map((make) => make(frame));
      frame[index] = made.length === 1 ? (made[0] as Fn) : overloaded(name, made);
    });
  }
  for (const directive of directives)
    if (directive.kind === 'var') begins.push(compileVar(c, directive, scope));
  if (begins.length === 0) return undefined;
  return (frame) => {
    for (const begin of begins) begin(frame);
  };
}

function compileVar(c: Compiler, directive: Extract<Directive, { kind: 'var' }>, scope: Scope): Begin {
  const binding = scope.names.get(directive.name);
  const exec = c.expr(directive.value, scope);
  const type = directive.type && compileType(c, directive.type, scope);
  const thunk: Exec = type ? (frame) => ofType(type, exec(frame), directive.value) : exec;
  const index = binding?.kind === 'slot' ? binding.index : 0;
  return (frame) => {
    frame[index] = UNSET;
    frame[index + 1] = thunk as unknown as Value;
  };
}

/** The value of a variable with a declared type. */
export function ofType(type: TypeValue, value: Value, node: Node): Value {
  if (accepts(type, value)) return value;
  try {
    return coerce(value, type);
  } catch (error) {
    throw locate(error, node);
  }
}

type FunNode = Extract<Directive, { kind: 'fun' }>['value'];

/** One slot for each name; several functions of a name are its overloads. */
function declareFunctions(directives: readonly Directive[], scope: Scope): Functions {
  const found = new Map<string, { index: number; nodes: FunNode[] }>();
  for (const directive of directives) {
    if (directive.kind !== 'fun') continue;
    const known = found.get(directive.name);
    if (known) known.nodes.push(directive.value);
    else found.set(directive.name, { index: scope.define(directive.name).index, nodes: [directive.value] });
    const binding = scope.names.get(directive.name);
    if (binding?.kind === 'slot')
      binding.signatures = [...(binding.signatures ?? []), signatureOf(directive.value)];
  }
  // A call of a name with overloads may mean another one.
  for (const directive of directives) {
    if (directive.kind !== 'fun' || !isTailRecursive(directive.annotations)) continue;
    const known = found.get(directive.name);
    if (known?.nodes.length === 1) known.nodes[0] = withoutTailCalls(directive.name, directive.value);
  }
  return found;
}

export function overloaded(name: string, made: readonly Fn[]): Fn {
  const most = made.reduce((best, fn) => (fn.params.length > best.params.length ? fn : best));
  const least = Math.min(...made.map(({ params }) => params.filter(({ optional }) => !optional).length));
  const params = most.params.map((param, i) => ({ name: param.name, optional: i >= least }));
  return new Fn(name, params, (...args) => {
    const fn =
      made.find((one) => takesArguments(one, args, true)) ??
      made.find((one) => takesArguments(one, args, false));
    if (fn) return fn.invoke(...args);
    const given = args.map((arg, i) => `  ${i + 1}: ${kindOf(arg)} (${preview(arg)})`).join('\n');
    const wanted = made
      .map(
        (one) =>
          `  (${one.params.map((param) => `${param.name}: ${(param.type ?? ANY).toString()}`).join(', ')})`,
      )
      .join('\n');
    throw typeFault(`No overload of "${name}" takes these arguments:\n${given}\nIt takes:\n${wanted}`);
  });
}

function declareTypes(c: Compiler, directives: readonly Directive[], scope: Scope): void {
  const found = directives.filter((directive) => directive.kind === 'type');
  for (const { name, generics, type } of found) {
    let resolved: TypeValue | undefined;
    const inner = scope.block();
    for (const generic of generics)
      inner.types.set(
        generic.name,
        new TypeValue({
          kind: 'parameter',
          name: generic.name,
          bound: generic.bound && compileType(c, generic.bound, inner),
        }),
      );
    const resolve = (): TypeValue => (resolved ??= compileType(c, type, inner));
    scope.types.set(
      name,
      new TypeValue({ kind: 'named', name, resolve }, type.meta && compileType(c, type, inner).meta),
    );
  }
  // Unknown names inside are problems even when nobody uses the type.
  for (const { name } of found) scope.types.get(name)?.resolved();
}

function compileImport(c: Compiler, directive: ImportDirective, scope: Scope): void {
  const path = directive.module.join('::');
  if (directive.loader) {
    c.problem(
      directive,
      'forbidden',
      `The loader "${directive.loader}!" reaches outside the script and is not part of Starlang`,
    );
    return;
  }
  const module = findModule(c, undefined, path);
  if (!module) {
    const reason = FORBIDDEN_MODULES[path];
    if (reason) c.problem(directive, 'forbidden', `The module "${path}" is not part of Starlang`, reason);
    else
      c.problem(
        directive,
        'reference',
        `The module "${path}" is not known`,
        didYouMean(path, [...moduleNames(), ...c.ownModules.keys()]),
      );
    return;
  }
  const last = directive.module.at(-1) as string;
  scope.modules.set(directive.names ? last : (directive.alias ?? last), module);
  if (!directive.names) return;
  const bind = (name: string, alias: string): boolean => {
    const binding = memberOf(module, name);
    if (binding) scope.names.set(alias, binding);
    const type = typeInModule(module, name);
    if (type) scope.types.set(alias, type);
    return binding !== undefined || type !== undefined;
  };
  const names = memberNames(module);
  if (directive.names === '*') {
    for (const name of names) bind(name, name);
    return;
  }
  for (const { name, alias } of directive.names) {
    if (!bind(name, alias ?? name))
      c.problem(directive, 'reference', `The module "${path}" has no "${name}"`, didYouMean(name, names));
  }
}
