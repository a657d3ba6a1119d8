import { Command, Option } from 'commander';
import { packageVersion } from '../common/platform/config/package-root.js';
import { CommandFailure, exitCodes } from './failure.js';
import type { Terminal } from './terminal.js';
import { lookingVariables, workspacePaths } from './workspace-paths.js';

interface ValidateOptions {
  readonly format: 'text' | 'json' | 'sarif';
  readonly strict?: boolean;
  readonly all?: boolean;
}

export function validateCommand(terminal: Terminal): Command {
  return new Command('validate')
    .description('check a workspace without starting it; every problem at once, with file, line and column')
    .argument('[paths...]', 'files and folders; default HELIX_WORKFLOWS')
    .addOption(
      new Option('--format <name>', 'how to report').choices(['text', 'json', 'sarif']).default('text'),
    )
    .option('--strict', 'warnings fail too')
    .option('--all', 'remarks too: what may well be meant so, such as a workflow that nothing uses')
    .action(async (paths: string[], { format, strict, all }: ValidateOptions) => {
      const { checkWorkspace } = await import('./workspace-check.js');
      const { jsonReport, sarifReport, textReport } = await import('../common/dsl/index.js');
      const { folder } = terminal;
      const checked = await checkWorkspace(
        await workspacePaths(paths, terminal),
        lookingVariables(terminal),
        { withTests: true },
      );
      const { files } = checked;
      const problems = checked.problems.filter(({ severity }) => all || severity !== 'info');
      if (format === 'json') terminal.out(jsonReport(problems, files.size, folder));
      else if (format === 'sarif') terminal.out(sarifReport(problems, folder, packageVersion()));
      else terminal.out(textReport(problems, files, { colour: terminal.hasColour, folder }));
      if (problems.some(({ severity }) => severity === 'error' || (strict && severity === 'warning'))) {
        throw new CommandFailure('', exitCodes.inputWrong);
      }
    });
}
