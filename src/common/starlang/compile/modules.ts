import { libraryModule } from '../library/registry.js';
import type { LibraryModule } from '../library/define.js';
import type { Document } from '../syntax/ast.js';
import type { TypeValue } from '../values/type-value.js';
import type { Binding, Module, OwnModule, Scope } from './scope.js';
import type { Compiler } from './compiler.js';

/** What a linked module gives to those who import it: what it declares itself. */
export function ownModule(name: string, { directives }: Document, scope: Scope): OwnModule {
  const declared = directives.flatMap((one) =>
    one.kind === 'var' || one.kind === 'fun' || one.kind === 'type' ? [one.name] : [],
  );
  return { name, scope, declared: new Set(declared) };
}

/** A module by the name it has in `scope`, or by its path. */
export const findModule = (c: Compiler, scope: Scope | undefined, path: string): Module | undefined =>
  scope?.module(path) ?? libraryModule(path) ?? c.ownModules.get(path);

const isOwn = (module: Module): module is OwnModule => 'scope' in module;

/** The variable, function or constant of a name. */
export function memberOf(module: Module, name: string): Binding | undefined {
  if (isOwn(module)) return module.declared.has(name) ? module.scope.names.get(name) : undefined;
  const fn = module.functions.find((one) => one.name === name);
  if (fn) return { kind: 'library', fn };
  const constant = module.constants?.[name];
  return constant === undefined ? undefined : { kind: 'constant', value: constant };
}

export function typeInModule(module: Module | undefined, name: string): TypeValue | undefined {
  if (module === undefined) return undefined;
  if (!isOwn(module)) return module.types?.[name];
  return module.declared.has(name) ? module.scope.types.get(name) : undefined;
}

export const memberNames = (module: Module): string[] =>
  isOwn(module) ? [...module.declared] : libraryNames(module);

const libraryNames = ({ functions, constants, types }: LibraryModule): string[] => [
  ...functions.map(({ name }) => name),
  ...Object.keys(constants ?? {}),
  ...Object.keys(types ?? {}),
];
