import { watchWorkspace } from '../../common/dsl/watch-workspace.js';
import type { TestOptions } from '../test.command.js';
import type { Terminal } from '../terminal.js';
import { testOnce } from './test-once.js';

/** Runs the tests, and again after each change, until the process is told to end. */
export async function testAgainAndAgain(
  named: readonly string[],
  options: TestOptions,
  terminal: Terminal,
): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  while (!stop.signal.aborted) {
    const { paths } = await testOnce(named, options, terminal);
    terminal.err('Waiting for a change; Ctrl-C ends.\n');
    await nextChange(paths, stop.signal);
  }
}

/** Resolves once something of the workspace has changed and is calm, or the signal is aborted. */
function nextChange(paths: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stopWatching();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopWatching = watchWorkspace(paths, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
