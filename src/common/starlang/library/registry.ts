import type { FunctionDoc } from '../api.js';
import { coreModule } from './core/index.js';
import { arrays } from './arrays.js';
import { coercions } from './coercions.js';
import { dates } from './dates.js';
import { diff } from './diff.js';
import { math } from './math.js';
import { numbers } from './numbers.js';
import { objects } from './objects.js';
import { periods } from './periods.js';
import { runtimeModule } from './runtime.js';
import { strings } from './strings/index.js';
import { binaries } from './binaries.js';
import { crypto } from './crypto.js';
import { timer } from './timer.js';
import { tree } from './tree.js';
import { url } from './url.js';
import { values } from './values.js';
import { types } from './types.js';
import { dtd } from './dtd.js';
import { tailCalls } from './tail-calls.js';
import { mime } from './mime.js';
import { multipartModule } from './multipart.js';
import type { LibraryFunction, LibraryModule } from './define.js';

/** Every module of the library. A new module is one file and one line here. */
const MODULES: readonly LibraryModule[] = [
  coreModule,
  strings,
  arrays,
  objects,
  numbers,
  dates,
  periods,
  coercions,
  runtimeModule,
  math,
  types,
  binaries,
  crypto,
  url,
  values,
  tree,
  timer,
  diff,
  multipartModule,
  mime,
  dtd,
];

/** Names of the peer language that reach the host, and what to do instead. */
export const FORBIDDEN: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  native: 'functions of the host are given to the script by name',
  envVar: 'the environment is not reachable from a script',
  envVars: 'the environment is not reachable from a script',
  prop: 'use property(name)',
  props: 'use property(name)',
  eval: 'a script cannot run text as a script',
  evalUrl: 'a script cannot run text as a script',
  run: 'a script cannot run text as a script',
  runUrl: 'a script cannot run text as a script',
  lookup: 'call another workflow with a step',
  p: 'use property(name)',
  wait: 'waiting is a step of the workflow',
  location: 'a value does not know where it was written; errors say their line and column',
  locationString: 'a value does not know where it was written; errors say their line and column',
});

/** Modules that exist in the peer language and are left out on purpose. */
export const FORBIDDEN_MODULES: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  'dw::System': 'the environment is not reachable from a script',
  'dw::Mule': 'use property(name), error.code and the steps of the workflow',
});

const byName: ReadonlyMap<string, LibraryModule> = new Map(MODULES.map((module) => [module.name, module]));
const core: ReadonlyMap<string, LibraryFunction> = new Map(
  [...coreModule.functions, ...tailCalls].map((fn) => [fn.name, fn]),
);

/** `dw::core::Strings`, also spelled `sl::core::Strings`. */
export function libraryModule(path: string): LibraryModule | undefined {
  return byName.get(path.replace(/^sl::/, 'dw::'));
}

/** A function that needs no import. */
export function coreFunction(name: string): LibraryFunction | undefined {
  return core.get(name);
}

export const moduleNames = (): string[] => [...byName.keys()];

/** Everything a person can call, as documentation. */
export function listFunctions(): FunctionDoc[] {
  return MODULES.flatMap((module) =>
    module.functions.map((fn) => ({
      name: fn.name,
      module: module.name,
      arity: [
        Math.min(...fn.overloads.map(({ min }) => min)),
        Math.max(...fn.overloads.map(({ params }) => params.length)),
      ] as const,
      signatures: fn.signatures,
      doc: fn.doc,
      examples: fn.examples,
    })),
  );
}
