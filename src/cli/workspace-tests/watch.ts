import { watch, type FSWatcher } from 'node:fs';
import type { TestOptions } from '../test.command.js';
import type { Terminal } from '../terminal.js';
import { testOnce } from './test-once.js';

/** Editors write a file in several steps; what comes within this is one change. */
const CALM_MS = 100;

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

/** Resolves once something below the paths has changed and is calm, or the signal is aborted. */
function nextChange(paths: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let calm: NodeJS.Timeout | undefined;
    const watchers: FSWatcher[] = [];
    const end = (): void => {
      clearTimeout(calm);
      for (const watcher of watchers) watcher.close();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const onChange = (): void => {
      clearTimeout(calm);
      calm = setTimeout(end, CALM_MS);
    };
    for (const path of paths) watchers.push(watch(path, { recursive: true }, onChange));
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
