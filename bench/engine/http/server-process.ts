import { fork } from 'node:child_process';
import { once } from 'node:events';
import { servers, type ServerName } from './servers.js';

type Answer = { readonly port: number } | { readonly cpu: number };

/** A server in a process of its own, whose processor time can be asked for. */
export interface ServerProcess {
  readonly port: number;
  /** Microseconds of processor time so far, user and system. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

export async function startServer(name: ServerName): Promise<ServerProcess> {
  const child = fork(process.argv[1] ?? '', ['serve', name], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const answer = async (): Promise<Answer> => {
    const early = gone.then(([code]): never => {
      throw new Error(`The server "${name}" ended with code ${String(code)}.`);
    });
    const [message] = (await Promise.race([once(child, 'message'), early])) as [Answer];
    return message;
  };
  const first = await answer();
  if (!('port' in first)) throw new Error(`The server "${name}" told no port.`);
  return {
    port: first.port,
    async cpu() {
      const pending = answer();
      child.send('cpu');
      const told = await pending;
      return 'cpu' in told ? told.cpu : Number.NaN;
    },
    async stop() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** What the child does. */
export async function serve(name: ServerName): Promise<void> {
  const port = await servers[name]();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
  });
  process.once('disconnect', () => process.exit(0));
  process.send?.({ port });
}
