/**
 * CPU of `POST JSON → transform → reply`: a workflow behind http-server:// beside a bare node:http handler that does the
 * same work, measured in turns in one process while a child process asks. Read the ratio, not the times.
 * Run: compile (`npx vite build --ssr bench/http-server/cpu-per-request.ts --outDir node_modules/.cache/bench`) and start
 * the result with node.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { engineChain } from '../../src/common/engine/interceptors/engine-chain.js';
import { StepCounters } from '../../src/common/engine/interceptors/step-counters.js';
import { Engine } from '../../src/common/engine/runtime/engine.js';
import { ScriptLanguage } from '../../src/common/engine/testing/script-language.js';
import { workspaceOf } from '../../src/common/engine/testing/source.js';
import { TestComponent } from '../../src/common/engine/testing/test-engine.js';
import { standardSteps } from '../../src/common/engine/steps/index.js';
import { HttpServerComponent } from '../../src/components/http-server/http-server.component.js';

const REQUESTS = 5000;
const CONNECTIONS = 16;
const ROUNDS = 5;

interface Order {
  readonly customer: string;
  readonly lines: readonly { readonly sku: string; readonly count: number; readonly price: number }[];
}

const order: Order = {
  customer: 'Ann',
  lines: Array.from({ length: 5 }, (_, i) => ({ sku: `sku-${i}`, count: i + 1, price: 1.5 * i })),
};

const total = ({ customer, lines }: Order): object => ({
  customer,
  total: lines.reduce((sum, { count, price }) => sum + count * price, 0),
});

async function bare(): Promise<number> {
  const server = createServer((incoming, response) => {
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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function workflow(options: string): Promise<number> {
  let id = 0;
  const log = { write: (): void => undefined, isEnabled: (): boolean => false };
  const clock = {
    now: () => Date.now(),
    schedule: (ms: number, task: () => void): (() => void) => {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
  };
  const ids = { next: (): string => String(++id) };
  const engine = new Engine({
    components: [
      new TestComponent({ total: (exchange) => void (exchange.body = total(exchange.body as Order)) }),
      new HttpServerComponent({ clock, ids, log }),
    ],
    steps: standardSteps(),
    interceptors: engineChain({ log, meter: new StepCounters() }),
    language: new ScriptLanguage(),
    clock,
    ids,
    log,
  });
  const from = `http-server://127.0.0.1:0/total?${options}`;
  const { started } = await engine.start(
    workspaceOf({ workflows: [{ id: 'total', from, steps: [{ target: 'test://total' }] }] }),
  );
  return Number(new URL(started[0]?.address ?? '').port);
}

async function ask(port: number, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const body = JSON.stringify(order);
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k1', 'content-length': body.length };
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const outgoing = request({ port, host: '127.0.0.1', path: '/total', method: 'POST', headers, agent });
      outgoing.end(body);
      const [reply] = (await once(outgoing, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
      if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}`);
      for await (const _ of reply);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  agent.destroy();
}

async function cpuPerRequest(port: number): Promise<number> {
  const before = process.cpuUsage();
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'ask', String(port)], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error('The asking child failed.');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

if (process.argv[2] === 'ask') await ask(Number(process.argv[3]), REQUESTS);
else {
  const contestants: readonly (readonly [name: string, port: number])[] = [
    ['bare node:http', await bare()],
    ['workflow', await workflow('method=POST')],
    [
      'workflow, all policies',
      await workflow('method=POST&api_keys=k1&ip_allowlist=127.0.0.1&rate_limit=100000000'),
    ],
  ];
  const results = contestants.map(() => [] as number[]);
  for (const [, port] of contestants) await cpuPerRequest(port);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, [, port]] of contestants.entries()) results[at]?.push(await cpuPerRequest(port));
  }
  const [floor = 1] = results.map(median);
  for (const [at, [name]] of contestants.entries()) {
    const cost = median(results[at] ?? []);
    console.log(`${name.padEnd(24)} ${cost.toFixed(1).padStart(7)} µs CPU  ${(cost / floor).toFixed(2)} ×`);
  }
  process.exit(0);
}
