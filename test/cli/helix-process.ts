import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { closed, opened } from '../support/leak-guard.js';
import { secretWatch } from '../support/secret-guard.js';

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  /** Waits until standard output holds the text; fails where the process ends before. */
  until(text: string): Promise<string>;
  /** The same for standard error, which has the log. */
  untilLogged(text: string): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** How it ended, once it has. */
  readonly ended: Promise<Finished>;
  /** Asks it to stop as a service manager does. */
  stop(): Promise<Finished>;
  /** Ends it without a warning, as a machine that loses its power. */
  kill(): Promise<Finished>;
}

type Process = ChildProcessByStdio<Writable, Readable, Readable>;

/** The real program as its users start it: one bundle of src/cli.ts, run by plain Node. */
export class HelixProgram {
  constructor(
    private readonly file: string,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly folder: string,
  ) {}

  /** Runs a command to its end. */
  async run(
    words: readonly string[],
    extra: { env?: Record<string, string>; stdin?: string } = {},
  ): Promise<Finished> {
    const child = this.spawn(words, extra.env);
    const finished = finishOf(child);
    child.stdin.end(extra.stdin ?? '');
    return finished;
  }

  /** Starts a command that stays. */
  start(words: readonly string[], env: Record<string, string> = {}): Running {
    const child = this.spawn(words, env);
    const finished = finishOf(child);
    const out = watched(child.stdout, finished);
    const err = watched(child.stderr, finished);
    return {
      ended: finished,
      until: out,
      untilLogged: err,
      signal: (signal) => void child.kill(signal),
      stop() {
        child.kill('SIGTERM');
        return finished;
      },
      kill() {
        child.kill('SIGKILL');
        return finished;
      },
    };
  }

  private spawn(words: readonly string[], env: Record<string, string> = {}): Process {
    const all = { PATH: process.env['PATH'], ...this.environment, ...env };
    secretWatch.keepVariables(all);
    return spawn(process.execPath, [this.file, ...words], {
      cwd: this.folder,
      env: all,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }
}

async function finishOf(child: Process): Promise<Finished> {
  const name = `helix ${child.pid}`;
  opened(name);
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  closed(name);
  secretWatch.logged(`${written.err}\n`);
  secretWatch.keepMembers(written.out, 'standard output');
  return { code, ...written };
}

/** Waits until the stream has brought a text. */
function watched(stream: Readable, finished: Promise<Finished>): (text: string) => Promise<string> {
  let all = '';
  stream.on('data', (chunk: Buffer) => (all += chunk.toString()));
  return async (text) => {
    while (!all.includes(text)) {
      const ended = await Promise.race([once(stream, 'data').then(() => null), finished]);
      if (ended) throw new Error(`It ended with ${ended.code} before "${text}":\n${ended.out}\n${ended.err}`);
    }
    return all;
  };
}
