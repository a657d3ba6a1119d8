import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { CommandFailure, environmentWrong, exitCodes } from './failure.js';
import type { Terminal } from './terminal.js';
import { lookingVariables, workspacePaths } from './workspace-paths.js';

interface GraphOptions {
  readonly format: 'mermaid' | 'svg' | 'json';
  readonly of?: string;
  readonly output?: string;
}

export function graphCommand(terminal: Terminal): Command {
  return new Command('graph')
    .description('draw who sends to whom in a workspace')
    .argument('[paths...]', 'files and folders; default HELIX_WORKFLOWS')
    .addOption(
      new Option('--format <name>', 'how to draw').choices(['mermaid', 'svg', 'json']).default('mermaid'),
    )
    .option('--of <id>', 'only this workflow or tool, with its neighbours')
    .option('-o, --output <file>', 'write to a file')
    .action(async (paths: string[], options: GraphOptions) => {
      const text = await draw(paths, options, terminal);
      if (options.output === undefined) terminal.out(text);
      else {
        const file = resolve(terminal.folder, options.output);
        await writeFile(file, text).catch((cause: unknown) => {
          throw environmentWrong(`${options.output} cannot be written: ${(cause as Error).message}`);
        });
      }
    });
}

async function draw(paths: string[], { format, of }: GraphOptions, terminal: Terminal): Promise<string> {
  const { graphText, neighbourhood, parseWorkspace, textReport, workspaceGraph } =
    await import('../common/dsl/index.js');
  const { catalogue } = await import('./catalogue.js');
  const parsed = await parseWorkspace(await workspacePaths(paths, terminal), lookingVariables(terminal));
  // A workspace with a missing target can be drawn, and the drawing may show what is missing; half a one cannot.
  const errors = parsed.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    terminal.err(textReport(errors, parsed.files, { colour: terminal.hasColour, folder: terminal.folder }));
    throw new CommandFailure('', exitCodes.inputWrong);
  }
  const whole = workspaceGraph(parsed.definition, catalogue().steps);
  const graph = of === undefined ? whole : neighbourhood(whole, of);
  if (graph === null) throw new CommandFailure(`There is no workflow or tool "${of}".`);
  return graphText(graph, format, of ?? 'Workspace');
}
