import { didYouMean } from '../errors/suggest.js';
import { Fault } from '../errors/fault.js';
import { coreFunction, FORBIDDEN, libraryModule, moduleNames } from '../library/registry.js';
import type { LibraryFunction } from '../library/define.js';
import { callLibrary } from '../runtime/dispatch.js';
import type { ImplicitNode, NameNode } from '../syntax/ast.js';
import { Fn } from '../values/fn.js';
import { Namespace } from '../values/objects.js';
import { simpleType, TYPE_NAMES } from '../values/type-value.js';
import type { Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { findModule, memberNames, memberOf } from './modules.js';
import { BUSY, locate, parentOf, UNSET, type Exec, type Frame } from './exec.js';
import type { Binding, Resolved, Scope } from './scope.js';
import { typeAsValue } from './types.js';

const IMPLICIT = ['', '$', '$$', '$$$'];

export function compileName(c: Compiler, node: NameNode | ImplicitNode, scope: Scope): Exec {
  const name = node.kind === 'implicit' ? (IMPLICIT[node.level] as string) : node.name;
  const found = node.kind === 'name' ? resolveName(c, node, scope) : scope.resolve(name);
  if (!found) {
    if (node.kind === 'implicit')
      return c.problem(
        node,
        'reference',
        `"${name}" has no meaning here`,
        'it stands for the item inside map, filter and the like',
      );
    const type =
      node.module.length === 0
        ? (scope.type(name) ?? (TYPE_NAMES.has(name) ? simpleType(name) : undefined))
        : undefined;
    if (type) {
      const value = typeAsValue(type);
      return () => value;
    }
    const uri = node.module.length === 0 ? scope.namespace(name) : undefined;
    if (uri !== undefined) {
      const namespace = new Namespace(name, uri);
      return () => namespace;
    }
    return unknown(c, node, scope);
  }
  return read(found, node);
}

/** What a name, plain or with modules before it, stands for. */
export function resolveName(c: Compiler, node: NameNode, scope: Scope): Resolved | undefined {
  if (node.module.length === 0) {
    const found = scope.resolve(node.name);
    if (found) return found;
    const fn = coreFunction(node.name);
    return fn && { binding: { kind: 'library', fn }, depth: 0 };
  }
  if (node.module[0]?.endsWith('!')) return undefined;
  const path = node.module.join('::');
  const module = findModule(c, scope, path);
  const binding = module && memberOf(module, node.name);
  return binding && { binding, depth: binding.kind === 'slot' ? scope.distanceTo(binding.frame) : 0 };
}

function unknown(c: Compiler, node: NameNode, scope: Scope): Exec {
  const { name, module } = node;
  if (module[0]?.endsWith('!'))
    return c.problem(
      node,
      'forbidden',
      `The loader "${module[0]}" reaches outside the script and is not part of Starlang`,
    );
  const reason = FORBIDDEN[name];
  if (reason) return c.problem(node, 'forbidden', `"${name}" is not part of Starlang`, reason);
  if (module.length > 0) {
    const path = module.join('::');
    const known = findModule(c, scope, path);
    return known
      ? c.problem(
          node,
          'reference',
          `The module "${known.name}" has no "${name}"`,
          didYouMean(name, memberNames(known)),
        )
      : c.problem(
          node,
          'reference',
          `The module "${path}" is not known`,
          didYouMean(path, [...moduleNames(), ...c.ownModules.keys()]),
        );
  }
  const elsewhere = moduleNames().filter((path) =>
    libraryModule(path)?.functions.some((fn) => fn.name === name),
  );
  const hint =
    elsewhere.length > 0
      ? `it needs: import * from ${elsewhere[0]}`
      : didYouMean(name, [
          ...scope.allNames(),
          ...(libraryModule('dw::Core')?.functions.map((fn) => fn.name) ?? []),
        ]);
  return c.problem(node, 'reference', `The name "${name}" is not known`, hint);
}

export function libraryValue(fn: LibraryFunction): Fn {
  const count = Math.max(...fn.overloads.map(({ params }) => params.length));
  const params = fn.overloads[0]?.params ?? [];
  const most = Math.max(...fn.overloads.map((overload) => overload.params.length));
  const invoke = (...args: Value[]): Value =>
    callLibrary(fn, args.length > most ? args.slice(0, most) : args);
  return new Fn(fn.name, params.slice(0, count), invoke);
}

function read({ binding, depth }: Resolved, node: NameNode | ImplicitNode): Exec {
  if (binding.kind === 'library') {
    let value: Fn | undefined;
    return () => (value ??= libraryValue(binding.fn));
  }
  if (binding.kind === 'constant') {
    const { value } = binding;
    return () => value;
  }
  return readSlot(binding, depth, node);
}

function readSlot(
  binding: Extract<Binding, { kind: 'slot' }>,
  depth: number,
  node: NameNode | ImplicitNode,
): Exec {
  binding.used = true;
  const { index } = binding;
  if (binding.lazy) return lazySlot(index, depth, node);
  switch (depth) {
    case 0:
      return (frame) => frame[index] as Value;
    case 1:
      return (frame) => parentOf(frame)[index] as Value;
    case 2:
      return (frame) => parentOf(parentOf(frame))[index] as Value;
    default:
      return (frame) => up(frame, depth)[index] as Value;
  }
}

export function up(frame: Frame, depth: number): Frame {
  let at = frame;
  for (let i = depth; i > 0; i--) at = parentOf(at);
  return at;
}

/** Variables of a header or `do` are computed when first read: then the thunk beside them runs. */
function lazySlot(index: number, depth: number, node: NameNode | ImplicitNode): Exec {
  return (frame) => {
    const home = up(frame, depth);
    const value = home[index] as Value;
    return value !== UNSET && value !== BUSY ? value : computeSlot(home, index, node);
  };
}

/** The value of a variable that is read for the first time. */
export function computeSlot(home: Frame, index: number, node: NameNode | ImplicitNode): Value {
  if (home[index] === BUSY)
    throw locate(
      new Fault('reference', `The variable "${'name' in node ? node.name : '$'}" is defined by itself`),
      node,
    );
  home[index] = BUSY;
  try {
    return (home[index] = (home[index + 1] as unknown as Exec)(home));
  } catch (error) {
    home[index] = UNSET;
    throw error;
  }
}
