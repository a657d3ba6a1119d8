import { Agent, request } from 'node:http';
import { mustFail, race, type Contestant } from '../../support/race.js';
import { door } from './door.js';
import { startServer, type ServerProcess } from './server-process.js';
import type { ServerName } from './servers.js';
import { requestBody, wantedReply } from './work.js';

const REQUESTS = 6000;
const CONNECTIONS = 50;

/** Asks over kept connections and compares every answer. */
async function ask(port: number, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(requestBody),
    'x-api-key': 'k1',
  };
  const options = { port, host: '127.0.0.1', path: '/total', method: 'POST', headers, agent };
  let left = count;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const outgoing = request(options, (reply) => {
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (chunk: string) => (text += chunk));
        reply.on('end', () => {
          if (reply.statusCode === 200 && text === wantedReply) resolve();
          else reject(new Error(`${reply.statusCode} ${text}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end(requestBody);
    });
  const worker = async (): Promise<void> => {
    while (left-- > 0) await one();
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  } finally {
    agent.destroy();
  }
}

async function cost(server: ServerProcess): Promise<number> {
  const before = await server.cpu();
  await ask(server.port, REQUESTS);
  return ((await server.cpu()) - before) / REQUESTS;
}

async function side(title: string, names: readonly ServerName[], rounds: number): Promise<void> {
  const running: ServerProcess[] = [];
  try {
    const contestants: Contestant[] = [];
    for (const name of names) {
      const server = await startServer(name);
      running.push(server);
      contestants.push({ name, measure: () => cost(server) });
    }
    await race(title, contestants, { rounds, unit: 'µs CPU of the server per request' });
  } finally {
    for (const server of running) await server.stop();
  }
}

/** `POST JSON → transform → reply` beside other servers. Each runs in a process of its own; this one asks. */
export async function http(): Promise<void> {
  const liar = await startServer('a server that answers wrong');
  await mustFail('a wrong answer', () => ask(liar.port, 1));
  await liar.stop();
  await side(
    'POST JSON → transform → reply',
    [
      'bare node:http',
      'Fastify',
      'Express 5',
      'Node-RED 4',
      'workflow, transform in Starlang',
      'workflow, the same function',
    ],
    5,
  );
}

/** What the checks at the door and the interceptors cost, over the same workflow without them. */
export async function policies(): Promise<void> {
  await door();
  await side(
    'POST JSON → transform → reply, with and without',
    ['workflow, the same function', 'workflow, address and key checked', 'workflow, interceptors off'],
    9,
  );
}
