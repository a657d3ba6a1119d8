import { dirname, resolve } from 'node:path';
import { workspaceModules } from '../common/dsl/workspace-modules.js';
import { workspaceResources } from '../common/dsl/workspace-resources.js';
import {
  compile,
  DEFAULT_INPUTS,
  StarlangError,
  type CompileOptions,
  type RunEnv,
  type Script,
} from '../common/starlang/index.js';
import { CommandFailure, exitCodes } from './failure.js';
import { readStandardInput } from './standard-input.js';
import { readBytes, StarlangInputs } from './starlang-inputs.js';
import { paintOf, type Terminal } from './terminal.js';

export interface ScriptOptions {
  readonly input: readonly string[];
  readonly type: readonly string[];
  readonly expr?: string;
  readonly files?: string;
}

export interface CheckOptions {
  /** Names a script may use beside those of a workflow. */
  readonly input: readonly string[];
  readonly files?: string;
}

/** Runs a script and prints what it gives. */
export async function runScript(
  path: string | undefined,
  { input, type, expr, files }: ScriptOptions,
  terminal: Terminal,
): Promise<void> {
  const inputs = new StarlangInputs(input, type);
  if (path === '-' && inputs.usesStandardInput)
    throw new CommandFailure('Standard input is the script or an input, not both.');
  const source = await sourceOf(path, expr, terminal);
  const { modules, readResource } = filesOf(files ?? folderOf(path), terminal);
  const text = await attempt(async () => {
    const script = compile(source, { name: path ?? 'expression', inputs: inputs.names, modules });
    warn(script, terminal);
    const bindings = await inputs.read(script, terminal);
    return script.run(bindings, { now: () => new Date(), readResource }).text();
  });
  terminal.out(text.endsWith('\n') ? text : `${text}\n`);
}

/** Compiles scripts and says what is wrong with each. */
export async function checkScripts(
  paths: readonly string[],
  { input, files }: CheckOptions,
  terminal: Terminal,
): Promise<void> {
  const inputs = [...DEFAULT_INPUTS, ...input];
  let isWrong = false;
  for (const path of paths) {
    const source = await sourceOf(path, undefined, terminal);
    const { modules } = filesOf(files ?? folderOf(path), terminal);
    try {
      warn(compile(source, { name: path, inputs, modules }), terminal);
      terminal.out(`${path}: ok\n`);
    } catch (error) {
      if (!(error instanceof StarlangError)) throw error;
      isWrong = true;
      terminal.err(`${paintOf(terminal).red(path)}: ${error.message}\n`);
    }
  }
  if (isWrong) throw new CommandFailure('', exitCodes.inputWrong);
}

type Files = Required<Pick<CompileOptions, 'modules'> & Pick<RunEnv, 'readResource'>>;

/** What scripts of a folder may import and read. */
function filesOf(folder: string, terminal: Terminal): Files {
  const readResource = workspaceResources([resolve(terminal.folder, folder)]);
  return { readResource, modules: workspaceModules(readResource) };
}

const folderOf = (path: string | undefined): string =>
  path === undefined || path === '-' ? '.' : dirname(path);

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StarlangError) throw new CommandFailure(error.message);
    throw error;
  }
}

function warn(script: Script, terminal: Terminal): void {
  const paint = paintOf(terminal);
  for (const { message, hint, line, column } of script.warnings) {
    terminal.err(
      `${paint.yellow('warning')} ${script.name}:${line}:${column} ${message}${hint ? ` ${hint}` : ''}\n`,
    );
  }
}

async function sourceOf(
  path: string | undefined,
  expr: string | undefined,
  terminal: Terminal,
): Promise<string> {
  if (path !== undefined && expr !== undefined)
    throw new CommandFailure('Give a script file or --expr, not both.');
  if (expr !== undefined) return expr;
  if (path === undefined) throw new CommandFailure('Give a script file, or the script itself with --expr.');
  return path === '-' ? readStandardInput() : (await readBytes(path, terminal)).toString('utf8');
}
