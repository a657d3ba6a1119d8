import { processEnvironment } from './common/platform/config/process-environment.js';
import { runCommand } from './cli/program.js';
import { processTerminal } from './cli/terminal.js';

// Whoever reads the output may go early, as `helix openapi | head` does: that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** The program `helix`. The exit code is set, not forced, so that what is still to be written gets out. */
process.exitCode = await runCommand(process.argv.slice(2), processTerminal(processEnvironment()));
