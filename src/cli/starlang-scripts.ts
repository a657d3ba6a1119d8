import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { compile, StarlangError, type Script } from '../common/starlang/index.js';
import { CommandFailure, exitCodes } from './failure.js';
import { readStandardInput } from './standard-input.js';
import { paintOf, type Terminal } from './terminal.js';

export interface ScriptOptions {
  readonly input?: string;
  readonly type?: string;
  readonly expr?: string;
}

const typesByEnding: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.csv': 'application/csv',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.txt': 'text/plain',
};

/** Runs a script and prints what it gives. */
export async function runScript(
  path: string | undefined,
  options: ScriptOptions,
  terminal: Terminal,
): Promise<void> {
  const script = compiled(await sourceOf(path, options.expr, terminal), path ?? 'expression');
  warn(script, terminal);
  const payload = await payloadOf(options, terminal);
  const result = attempt(() => script.run({ payload }, { now: () => new Date() }).text());
  terminal.out(result.endsWith('\n') ? result : `${result}\n`);
}

/** Compiles scripts and says what is wrong with each. */
export async function checkScripts(paths: readonly string[], terminal: Terminal): Promise<void> {
  let isWrong = false;
  for (const path of paths) {
    const source = await sourceOf(path, undefined, terminal);
    try {
      warn(compile(source, { name: path }), terminal);
      terminal.out(`${path}: ok\n`);
    } catch (error) {
      if (!(error instanceof StarlangError)) throw error;
      isWrong = true;
      terminal.err(`${paintOf(terminal).red(path)}: ${error.message}\n`);
    }
  }
  if (isWrong) throw new CommandFailure('', exitCodes.inputWrong);
}

function compiled(source: string, name: string): Script {
  return attempt(() => compile(source, { name }));
}

function attempt<T>(work: () => T): T {
  try {
    return work();
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
  return readText(path, terminal);
}

/** The payload as a value of the language, read by its own formats. */
async function payloadOf({ input, type }: ScriptOptions, terminal: Terminal): Promise<unknown> {
  if (input === undefined) return null;
  const text = input === '-' ? await readStandardInput() : await readText(input, terminal);
  const mime = type ?? typesByEnding[extname(input).toLowerCase()] ?? 'application/json';
  const reader = compile('read(text, mime)', {
    name: 'payload',
    inputs: ['text', 'mime'],
    // What the person at the keyboard gives is as large as it is.
    limits: { memory: Number.POSITIVE_INFINITY },
  });
  return attempt(() => reader.run({ text, mime }).value);
}

function readText(path: string, { folder }: Terminal): Promise<string> {
  return readFile(resolve(folder, path), 'utf8').catch(() => {
    throw new CommandFailure(`The file ${path} cannot be read.`);
  });
}
