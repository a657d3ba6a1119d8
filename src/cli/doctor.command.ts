import { Command } from 'commander';
import { ConfigurationError } from '../common/platform/config/configuration-error.js';
import type { HelixConfig } from '../common/platform/config/helix-config.js';
import {
  checkHome,
  checkKeyring,
  checkNode,
  checkPort,
  checkRedis,
  ok,
  wrong,
  type Verdict,
} from './doctor-checks.js';
import { CommandFailure, exitCodes } from './failure.js';
import { readConfig } from './read-config.js';
import { columns, paintOf, type Terminal } from './terminal.js';
import { lookingVariables } from './workspace-paths.js';

interface Line extends Verdict {
  readonly name: string;
}

export function doctorCommand(terminal: Terminal): Command {
  return new Command('doctor')
    .description('check what Helix needs and say how to mend what is missing')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const lines = await examine(terminal);
      terminal.out(options.json ? `${JSON.stringify(lines, null, 2)}\n` : describe(lines, terminal));
      const failed = lines.filter(({ state }) => state === 'wrong');
      if (failed.length === 0) return;
      const code = failed.every(({ isInput }) => isInput) ? exitCodes.inputWrong : exitCodes.environmentWrong;
      throw new CommandFailure('', code);
    });
}

async function examine(terminal: Terminal): Promise<readonly Line[]> {
  const lines: Line[] = [{ name: 'Node', ...checkNode(process.version) }];
  let config: HelixConfig;
  try {
    config = await readConfig(terminal.environment);
    lines.push({ name: 'Environment', ...ok('every variable that is set is understood') });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [
      ...lines,
      ...error.problems.map((problem) => ({
        name: 'Environment',
        ...wrong(problem, 'Correct or unset the variable.'),
      })),
    ];
  }
  const home = await checkHome(config);
  lines.push({ name: 'Home', ...home });
  lines.push({ name: 'Keyring', ...(await checkKeyring(config)) });
  if (home.state !== 'wrong' || config.databaseUrl) {
    const { checkDatabase } = await import('./doctor-database.js');
    lines.push({ name: 'Database', ...(await checkDatabase(config)) });
  }
  lines.push({ name: 'Redis', ...(await checkRedis(config)) });
  lines.push({ name: 'Port', ...(await checkPort(config)) });
  lines.push({ name: 'Workspace', ...(await checkWorkspaceVerdict(config, terminal)) });
  return lines;
}

async function checkWorkspaceVerdict({ workflows }: HelixConfig, terminal: Terminal): Promise<Verdict> {
  const { checkWorkspace } = await import('./workspace-check.js');
  const { problems, definition } = await checkWorkspace(workflows, lookingVariables(terminal));
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const shown = workflows.join(', ');
  if (errors > 0) {
    const finding = `${shown}: ${errors} error${errors === 1 ? '' : 's'}`;
    return { ...wrong(finding, 'Run "helix validate" and correct what it names.'), isInput: true };
  }
  return ok(`${shown}: ${definition.tools.length} tools, ${definition.workflows.length} workflows`);
}

function describe(lines: readonly Line[], terminal: Terminal): string {
  const paint = paintOf(terminal);
  const marks = { ok: paint.green('✓'), warning: paint.yellow('!'), wrong: paint.red('✗') };
  const names = columns(lines.map(({ name }) => [name, ''])).split('\n');
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return `${lines
    .map(({ state, name, finding, mend }) => {
      const advice = mend
        ? `\n${' '.repeat(width + 2)}${paint.cyan('→')} ${mend.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}`
        : '';
      return `${marks[state]} ${name.padEnd(width)}${finding}${advice}`;
    })
    .join('\n')}\n`;
}
