import { Command } from 'commander';
import type { CheckOptions, ScriptOptions } from './starlang-scripts.js';
import type { Terminal } from './terminal.js';

const several = (one: string, before: readonly string[]): string[] => [...before, one];

export function starlangCommand(terminal: Terminal): Command {
  const starlang = new Command('starlang').description('run, check or try Starlang scripts');
  starlang
    .command('run')
    .description('run a script and print what it gives')
    .argument('[script]', 'file with the script; - reads it from standard input')
    .option('--expr <text>', 'the script itself, instead of a file')
    .option(
      '--input <[name=]file>',
      'an input, the payload without a name; - reads standard input',
      several,
      [],
    )
    .option(
      '--type <[name=]mime>',
      'type of an input, options after semicolons; default by the ending of its file, else application/json',
      several,
      [],
    )
    .option('--files <folder>', 'folder of modules and of what readUrl reads; default that of the script')
    .action(async (path: string | undefined, options: ScriptOptions) => {
      const { runScript } = await import('./starlang-scripts.js');
      await runScript(path, options, terminal);
    });
  starlang
    .command('check')
    .description('compile a script without running it; every mistake at once')
    .argument('<script...>', 'files with scripts; - reads one from standard input')
    .option('--input <name>', 'a name that scripts may use beside those of a workflow', several, [])
    .option('--files <folder>', 'folder of modules; default that of each script')
    .action(async (paths: string[], options: CheckOptions) => {
      const { checkScripts } = await import('./starlang-scripts.js');
      await checkScripts(paths, options, terminal);
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
