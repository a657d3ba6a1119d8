import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { closed, opened } from './leak-guard.js';
import { secretWatch } from './secret-guard.js';

/** A process of the test's own, for stories in which one is killed. */
export interface Child {
  readonly pid: number;
  /** The next line of its standard output, parsed as JSON. */
  nextLine<T>(): Promise<T>;
  /** Sends a signal and waits for the end. @returns its exit code, null where a signal ended it */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Exit code once it has ended by itself. */
  ended(): Promise<number | null>;
}

export function startChild(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Child {
  secretWatch.keepVariables(env);
  const child: ChildProcess = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const name = `process ${child.pid}`;
  opened(name);
  const exit = once(child, 'exit').then(([code]) => {
    closed(name);
    return code as number | null;
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    pid: Number(child.pid),
    async nextLine<T>() {
      const { value, done } = await lines.next();
      if (done) throw new Error('The process ended without another line.');
      secretWatch.logged(`${value}\n`);
      return JSON.parse(value) as T;
    },
    end(signal) {
      child.kill(signal);
      return exit;
    },
    ended: () => exit,
  };
}
