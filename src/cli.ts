import { processEnvironment } from './common/platform/config/env.js';
import { runCommand } from './cli/program.js';
import { processTerminal } from './cli/terminal.js';

/** The program `helix`. The exit code is set, not forced, so that what is still to be written gets out. */
process.exitCode = await runCommand(process.argv.slice(2), processTerminal(processEnvironment()));
