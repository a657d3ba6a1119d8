import { Command, InvalidArgumentError, Option } from 'commander';
import { CommandFailure, exitCodes } from './failure.js';
import type { Terminal } from './terminal.js';

export interface TestOptions {
  readonly filter?: string;
  readonly format: 'text' | 'json' | 'junit';
  readonly json?: boolean;
  readonly coverage?: boolean;
  readonly coverageMin?: number;
  readonly watch?: boolean;
}

export function testCommand(terminal: Terminal): Command {
  return new Command('test')
    .description('run the tests of a workspace: whole workflows, on a virtual clock, with nothing opened')
    .argument(
      '[paths...]',
      'files and folders of the workspace, or *.test.yaml files for their tests alone; default HELIX_WORKFLOWS',
    )
    .option('--filter <text>', 'only tests with this in "workflow: name"; /text/ is a regular expression')
    .addOption(
      new Option('--format <name>', 'how to report').choices(['text', 'json', 'junit']).default('text'),
    )
    .option('--json', 'the same as --format json')
    .option('--coverage', 'tell which workflows, steps, branches and error clauses no test ran')
    .option('--coverage-min <percent>', 'fail where less than this is covered', percent)
    .option('--watch', 'run again whenever a file of the workspace changes; Ctrl-C ends')
    .action(async (paths: string[], options: TestOptions) => {
      const { testOnce } = await import('./workspace-tests/test-once.js');
      const format = options.json ? 'json' : options.format;
      if (options.watch) {
        const { testAgainAndAgain } = await import('./workspace-tests/watch.js');
        return testAgainAndAgain(paths, { ...options, format }, terminal);
      }
      if (!(await testOnce(paths, { ...options, format }, terminal)).isGood)
        throw new CommandFailure('', exitCodes.inputWrong);
    });
}

function percent(text: string): number {
  const value = Number(text.replace(/%$/, ''));
  if (text.trim() !== '' && value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('Write a number from 0 to 100.');
}
