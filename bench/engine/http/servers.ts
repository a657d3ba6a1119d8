import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Interceptor } from '../../../src/common/engine/api/interceptor.js';
import { peer } from '../../support/peers.js';
import { worldOf } from '../world.js';
import { total, totalScript, type Order } from './work.js';

/** Starts a server on a free port of 127.0.0.1 and answers the port. */
type Start = () => Promise<number>;

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const bare: Start = () =>
  listening(
    createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
      incoming.on('end', () => {
        const reply = JSON.stringify(total(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Order));
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(reply)),
        });
        response.end(reply);
      });
    }),
  );

interface FastifyLike {
  post(path: string, handler: (request: { body: Order }) => Promise<object>): void;
  listen(options: { host: string; port: number }): Promise<string>;
}

const fastify: Start = async () => {
  const make = await peer<() => FastifyLike>('fastify');
  const app = make();
  app.post('/total', async ({ body }) => total(body));
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
};

interface ExpressLike {
  (): RequestListener & {
    use(middleware: unknown): void;
    post(path: string, handler: (request: { body: Order }, reply: { json(it: object): void }) => void): void;
  };
  json(): unknown;
}

const express: Start = async () => {
  const make = await peer<ExpressLike>('express');
  const app = make();
  app.use(make.json());
  app.post('/total', ({ body }, reply) => reply.json(total(body)));
  return listening(createServer(app));
};

interface NodeRedLike {
  init(server: Server, settings: object): void;
  start(): Promise<void>;
  httpNode: RequestListener;
  runtime: {
    flows: { setFlows(call: object): Promise<unknown> };
    events: { once(name: string, task: () => void): void };
  };
}

const nodeRed: Start = async () => {
  const red = await peer<NodeRedLike>('node-red');
  const userDir = await mkdtemp(join(tmpdir(), 'bench-node-red-'));
  process.once('exit', () => void rm(userDir, { recursive: true, force: true }));
  const server = createServer((incoming, response) => red.httpNode(incoming, response));
  const logging = { console: { level: 'error', metrics: false, audit: false } };
  red.init(server, { httpAdminRoot: false, userDir, logging, telemetry: { enabled: false } });
  const flow = [
    { id: 'tab', type: 'tab', label: 'bench' },
    { id: 'in', z: 'tab', type: 'http in', url: '/total', method: 'post', wires: [['work']] },
    {
      id: 'work',
      z: 'tab',
      type: 'function',
      outputs: 1,
      func: 'const { customer, lines } = msg.payload; msg.payload = { customer, total: lines.reduce((sum, { count, price }) => sum + count * price, 0) }; return msg;',
      wires: [['out']],
    },
    { id: 'out', z: 'tab', type: 'http response', statusCode: '', headers: {}, wires: [] },
  ];
  const started = new Promise<void>((resolve) => {
    red.runtime.events.once('flows:started', resolve);
  });
  await red.start();
  await started;
  await red.runtime.flows.setFlows({ flows: { flows: flow }, deploymentType: 'full' });
  return listening(server);
};

/** The step as Starlang, as users write it. */
const transform = { transform: { starlang: totalScript } };
/** The same function that the others call, to tell the engine's cost from the language's. */
const byHand = { target: 'test://total' };

const workflow =
  (step: object, options = '', interceptors?: readonly Interceptor[]): Start =>
  async () => {
    const { address } = await worldOf({
      processors: { total: (exchange) => void (exchange.body = total(exchange.body as Order)) },
      ...(interceptors ? { interceptors } : {}),
      workflows: [
        { id: 'total', from: `http-server://127.0.0.1:0/total?method=POST${options}`, steps: [step] },
      ],
    });
    return Number(new URL(address ?? '').port);
  };

export const servers = {
  'bare node:http': bare,
  Fastify: fastify,
  'Express 5': express,
  'Node-RED 4': nodeRed,
  'workflow, transform in Starlang': workflow(transform),
  'workflow, the same function': workflow(byHand),
  'workflow, interceptors off': workflow(byHand, '', []),
  'workflow, address and key checked': workflow(
    byHand,
    '&api_keys=k1&ip_allowlist=127.0.0.1,10.0.0.0/8&rate_limit=100000000',
  ),
  'a server that answers wrong': () =>
    listening(createServer((_, response) => response.end('{"customer":"Ann","total":0}'))),
} satisfies Readonly<Record<string, Start>>;

export type ServerName = keyof typeof servers;
