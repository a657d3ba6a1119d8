import { request, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import type { Listen } from '../../components/http-server/listener.js';

export interface MemoryRequest {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface MemoryReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** HTTP without a network: the same servers, parsers and bytes, joined in memory. No port is opened. */
export class MemoryNetwork {
  readonly #servers = new Map<string, Server>();

  readonly listen: Listen = (server, host, port) => {
    this.#servers.set(`${host}:${port}`, server);
    return Promise.resolve();
  };

  async send({ host, port, method, target, headers, body }: MemoryRequest): Promise<MemoryReply> {
    const server = this.#servers.get(`${host}:${port}`);
    if (!server) throw new Error(`Nothing listens on ${host}:${port} in this test.`);
    const [client, peer] = duplexPair();
    // What a policy judges by: requests of a test come from this machine.
    Object.assign(peer, { remoteAddress: '127.0.0.1', remotePort: 1, remoteFamily: 'IPv4' });
    server.emit('connection', peer);
    const shown = host.includes(':') ? `[${host}]` : host;
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        {
          createConnection: () => client,
          method,
          path: target,
          headers: { host: `${shown}:${port}`, ...headers },
        },
        resolve,
      );
      sent.once('error', reject);
      sent.end(body ?? undefined);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    client.destroy();
    peer.destroy();
    return { status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) };
  }
}
