import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { CommandFailure, environmentWrong } from './failure.js';
import { paintOf, type Terminal } from './terminal.js';

export function newCommand(terminal: Terminal): Command {
  return new Command('new')
    .description('begin a workspace or a component, with a test that passes')
    .addCommand(
      new Command('workspace')
        .description('a small workspace that runs as it is: a tool, a workflow and their tests')
        .argument('<folder>', 'where to put it; it must not exist or be empty')
        .action((folder: string) => newWorkspace(folder, terminal)),
    )
    .addCommand(
      new Command('component')
        .description(
          'a folder in src/components with the component, its options and its spec; in a checkout of Helix',
        )
        .argument('<scheme>', 'what its URIs begin with, e.g. queue for queue://name')
        .action((scheme: string) => newComponent(scheme, terminal)),
    );
}

async function newWorkspace(folder: string, terminal: Terminal): Promise<void> {
  const { workspaceFiles } = await import('./templates/workspace-files.js');
  const { writeNew } = await import('./templates/write-new.js');
  await writeNew(resolve(terminal.folder, folder), workspaceFiles);
  const next = ['validate', 'test', 'run'].map((command) => `  npx helix ${command} ${folder}`);
  tell(folder, Object.keys(workspaceFiles), next, terminal);
}

async function newComponent(scheme: string, terminal: Terminal): Promise<void> {
  const { packageRoot } = await import('../common/platform/config/package-root.js');
  const { catalogue } = await import('./catalogue.js');
  const { componentFiles, isSchemeForFolder } = await import('./templates/component-files.js');
  const { writeNew } = await import('./templates/write-new.js');
  if (!isSchemeForFolder(scheme))
    throw new CommandFailure(
      `"${scheme}" is no scheme: write up to 18 lower-case letters, digits and "-", a letter first.`,
    );
  if (catalogue().components.some((known) => known.scheme === scheme))
    throw new CommandFailure(`There is a component ${scheme}:// already: choose another scheme.`);
  const components = join(packageRoot(), 'src', 'components');
  if (!existsSync(components))
    throw environmentWrong(
      'A component is written in a checkout of Helix, and this is an installed package.',
    );
  const folder = join(components, scheme);
  const files = componentFiles(scheme);
  await writeNew(folder, files);
  tell(
    relative(terminal.folder, folder),
    Object.keys(files),
    [
      `  npx vitest run --project unit src/components/${scheme}`,
      '  then fill its port in a module of src/modules, list it among the providers there and in src/cli/catalogue.ts,',
      '  and run npm run schema',
    ],
    terminal,
  );
}

function tell(folder: string, names: readonly string[], next: readonly string[], terminal: Terminal): void {
  const paint = paintOf(terminal);
  const files = names.map((name) => `  ${folder}/${name}`);
  terminal.out(`${paint.bold('Written')}\n${files.join('\n')}\n${paint.bold('Next')}\n${next.join('\n')}\n`);
}
