import { Command } from 'commander';
import { CommandFailure, exitCodes } from './failure.js';
import type { Terminal } from './terminal.js';
import { lookingVariables, workspacePaths } from './workspace-paths.js';

export function graphCommand(terminal: Terminal): Command {
  return new Command('graph')
    .description('draw the workspace as a Mermaid flowchart')
    .argument('[paths...]', 'files and folders; default HELIX_WORKFLOWS')
    .action(async (paths: string[]) => {
      const { mermaidGraph, parseWorkspace, textReport } = await import('../common/dsl/index.js');
      const { catalogue } = await import('./catalogue.js');
      const parsed = await parseWorkspace(await workspacePaths(paths, terminal), lookingVariables(terminal));
      // A workspace with a missing target can be drawn, and the drawing may show what is missing; half a one cannot.
      const errors = parsed.problems.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) {
        terminal.err(
          textReport(errors, parsed.files, { colour: terminal.hasColour, folder: terminal.folder }),
        );
        throw new CommandFailure('', exitCodes.inputWrong);
      }
      terminal.out(mermaidGraph(parsed.definition, catalogue().steps));
    });
}
