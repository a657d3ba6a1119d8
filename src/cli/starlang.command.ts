import { Command } from 'commander';
import type { ScriptOptions } from './starlang-scripts.js';
import type { Terminal } from './terminal.js';

export function starlangCommand(terminal: Terminal): Command {
  const starlang = new Command('starlang').description('run, check or try Starlang scripts');
  starlang
    .command('run')
    .description('run a script and print what it gives')
    .argument('[script]', 'file with the script')
    .option('--expr <text>', 'the script itself, instead of a file')
    .option('--input <file>', 'payload; - reads standard input')
    .option('--type <mime>', 'type of the payload; default by the ending of its file, else application/json')
    .action(async (path: string | undefined, options: ScriptOptions) => {
      const { runScript } = await import('./starlang-scripts.js');
      await runScript(path, options, terminal);
    });
  starlang
    .command('check')
    .description('compile a script without running it; every mistake at once')
    .argument('<script...>', 'files with scripts')
    .action(async (paths: string[]) => {
      const { checkScripts } = await import('./starlang-scripts.js');
      await checkScripts(paths, terminal);
    });
  starlang
    .command('functions')
    .description('the functions of the library, with examples')
    .argument('[query]', 'a function, a module, or a word of what it does')
    .option('--json', 'as JSON')
    .action(async (query: string | undefined, { json }: { json?: boolean }) => {
      const { showFunctions } = await import('./starlang-functions.js');
      showFunctions(query, json === true, terminal);
    });
  starlang
    .command('repl')
    .description('type expressions and read their values')
    .action(async () => {
      const { runRepl } = await import('./starlang-repl.js');
      await runRepl(terminal);
    });
  return starlang;
}
