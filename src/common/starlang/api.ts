import type { Problem } from './errors/problem.js';
import type { Limits } from './limits.js';

/** What a script is compiled against. */
export interface CompileOptions {
  /** Named in error traces; default `script`. */
  name?: string;
  /**
   * Names the run will bind (`payload`, `args`, `header` …). Any other free name is a compile error.
   * Default: {@link DEFAULT_INPUTS}.
   */
  inputs?: readonly string[];
  limits?: Partial<Limits>;
  /**
   * Functions of the host, callable by name like library functions (`header("X")`, `property("y")`).
   * They get plain JavaScript values and must be synchronous and pure for a durable replay.
   */
  functions?: Readonly<Record<string, (...args: unknown[]) => unknown>>;
  /**
   * The host promises that only plain data gets into an object after a run got it as an input, see `prepare`:
   * a large one is looked over at its first run only.
   */
  keepsInputs?: boolean;
  /**
   * Texts of the modules that `import orders::Prices` and the like may name, by their path; undefined
   * where there is none. Without it only the library's modules are known.
   */
  modules?: ((path: string) => string | undefined) | undefined;
  /**
   * How it is run; the result is the same. `auto` (the default) starts with closures and generates
   * JavaScript once the script has run often or over much data, unless the process forbids code from
   * text (`--disallow-code-generation-from-strings`); `generated` does so at once.
   */
  backend?: 'auto' | 'closures' | 'generated';
}

/** A readable thing of the workspace, for `readUrl`. */
export interface Resource {
  text?: string;
  bytes?: Uint8Array;
  mime: string;
}

/** The world of one run. Clock, random and uuid are given so that a durable replay repeats its values. */
export interface RunEnv {
  now?: () => Date;
  /** In [0, 1). */
  random?: () => number;
  uuid?: () => string;
  limits?: Partial<Limits>;
  /** Without it `readUrl` is refused. */
  readResource?: (url: string) => Resource;
  log?: (level: 'debug' | 'info' | 'warn' | 'error', message: string, value: unknown) => void;
}

/** What a run gave. */
export interface RunResult {
  /** The value in memory: see `toPlain` to make it plain JSON-able JavaScript. */
  readonly value: unknown;
  /** Of the `output` directive; undefined when the script has none. */
  readonly mimeType: string | undefined;
  /** The value serialised per the `output` directive (JSON without one). */
  text(): string;
  /** As {@link RunResult.text}, for formats that are bytes. */
  bytes(): Uint8Array;
}

/** A compiled script: immutable, safe to keep and to run any number of times. */
export interface Script {
  readonly name: string;
  readonly source: string;
  /** Things that parse as the peer language parses them but are probably not meant. */
  readonly warnings: readonly Problem[];
  /** Mime type of the `output` directive. */
  readonly mimeType: string | undefined;
  /** Inputs and host functions the script really uses. */
  readonly uses: readonly string[];
  /** What the next run is run by. */
  readonly backend: 'closures' | 'generated';
  /**
   * Evaluates with inputs bound by name; a declared input that is not bound is null.
   * Plain objects, arrays, Map, Date, Buffer and bigint are taken as they are.
   * @throws StarlangError
   */
  run(bindings?: Readonly<Record<string, unknown>>, env?: RunEnv): RunResult;
  /** Serialises a value per the `output` directive. @throws StarlangError */
  write(value: unknown): string;
}

/** One function of the library as people see it. */
export interface FunctionDoc {
  name: string;
  /** `dw::Core` needs no import. */
  module: string;
  /** Fewest and most arguments. */
  arity: readonly [number, number];
  signatures: readonly string[];
  /** One line. */
  doc: string;
  examples: readonly { expr: string; result: string }[];
}

/** The names Helix binds: architecture of the engine, not of the language. */
export const DEFAULT_INPUTS: readonly string[] = Object.freeze([
  'payload',
  'attributes',
  'headers',
  'vars',
  'args',
  'session',
  'error',
  'header',
  'property',
]);
