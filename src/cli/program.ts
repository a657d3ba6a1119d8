import { Command, CommanderError } from 'commander';
import { ConfigurationError } from '../common/platform/config/configuration-error.js';
import { packageVersion } from '../common/platform/config/package-root.js';
import { auditCommand } from './audit.command.js';
import { callCommand } from './call.command.js';
import { componentsCommand } from './components.command.js';
import { deadLettersCommand } from './dead-letters.command.js';
import { doctorCommand } from './doctor.command.js';
import { graphCommand } from './graph.command.js';
import { keysCommand } from './keys.command.js';
import { membersCommand } from './members.command.js';
import { newCommand } from './new.command.js';
import { openapiCommand } from './openapi.command.js';
import { schemaCommand } from './schema.command.js';
import { starlangCommand } from './starlang.command.js';
import { secretsCommand } from './secrets.command.js';
import { startCommand } from './run.command.js';
import { validateCommand } from './validate.command.js';
import { HelixError } from '../common/engine/errors/helix-error.js';
import { CommandFailure, exitCodes } from './failure.js';
import { paintOf, type Terminal } from './terminal.js';
import { testCommand } from './test.command.js';
import { toolsCommand } from './tools.command.js';
import { walletCommand } from './wallet.command.js';
import { workflowsCommand } from './workflows.command.js';

/** Every command, in the order of `--help`; a new one is listed here. */
const commands: readonly ((terminal: Terminal) => Command)[] = [
  startCommand,
  validateCommand,
  testCommand,
  callCommand,
  toolsCommand,
  workflowsCommand,
  deadLettersCommand,
  graphCommand,
  componentsCommand,
  schemaCommand,
  starlangCommand,
  newCommand,
  keysCommand,
  membersCommand,
  secretsCommand,
  auditCommand,
  walletCommand,
  openapiCommand,
  doctorCommand,
];

/**
 * Runs one command line (without the program's name).
 * @returns the exit code: 0 ok, 1 the input is wrong, 2 the environment is wrong
 */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('helix')
    .description('Tools and workflows, defined in YAML, called over REST and MCP.')
    .version(packageVersion(), '-v, --version')
    .showSuggestionAfterError()
    // Options before the command are the program's: `openapi --version 3.0` has one of its own.
    .enablePositionalOptions()
    .addHelpText('after', '\nExit codes: 0 ok, 1 the input is wrong, 2 the environment is wrong.');
  for (const make of commands) program.addCommand(make(terminal));
  settle(program, terminal);
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return fail(error, terminal);
  }
}

/** Commander must neither end the process nor write past the terminal; subcommands do not inherit that once added. */
function settle(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.out(text),
    writeErr: (text) => terminal.err(text),
  });
  for (const inner of command.commands) settle(inner, terminal);
}

function fail(error: unknown, terminal: Terminal): number {
  // Commander has written its message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.inputWrong;
  const paint = paintOf(terminal);
  if (error instanceof CommandFailure || error instanceof ConfigurationError) {
    if (error.message) terminal.err(`${paint.red('error')} ${error.message}\n`);
    return error.exitCode;
  }
  const isForDebugging = /^(debug|trace)$/.test(terminal.environment['LOG_LEVEL'] ?? '');
  const text =
    error instanceof Error ? ((isForDebugging ? error.stack : undefined) ?? error.message) : String(error);
  terminal.err(`${paint.red('error')} ${text}\n`);
  const isInputWrong = error instanceof HelixError && error.meaning.http < 500;
  return isInputWrong ? exitCodes.inputWrong : exitCodes.environmentWrong;
}
