import { watchWorkspace } from '../../common/dsl/watch-workspace.js';
import type { TestOptions } from '../test.command.js';
import type { Terminal } from '../terminal.js';
import { testOnce } from './test-once.js';

/**
 * Runs the tests, and again after each change, until the process is told to end. Files are watched while tests run as
 * well, so that no change is missed.
 */
export async function testAgainAndAgain(
  named: readonly string[],
  options: TestOptions,
  terminal: Terminal,
): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  let changes = new Changes([], stop.signal);
  while (!stop.signal.aborted) {
    changes.forget();
    const { paths } = await testOnce(named, options, terminal);
    changes = changes.of(paths);
    terminal.err('Waiting for a change; Ctrl-C ends.\n');
    await changes.next();
  }
  changes.end();
}

/** What changed in files and folders since it was last asked. */
class Changes {
  #isThere = false;
  #tell: () => void = () => undefined;
  readonly #stopWatching: () => void;

  constructor(
    private readonly paths: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    this.#stopWatching = watchWorkspace(paths, () => this.#happened());
    signal.addEventListener('abort', () => this.#happened());
  }

  /** The same where the paths are, else another in its place. */
  of(paths: readonly string[]): Changes {
    if (paths.length === this.paths.length && paths.every((path) => this.paths.includes(path))) return this;
    this.end();
    return new Changes(paths, this.signal);
  }

  forget(): void {
    this.#isThere = false;
  }

  /** Resolves once there is a change, or the signal is aborted. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = resolve;
      if (this.#isThere || this.signal.aborted) resolve();
    });
  }

  end(): void {
    this.#stopWatching();
  }

  #happened(): void {
    this.#isThere = true;
    this.#tell();
  }
}
