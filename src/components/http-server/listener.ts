import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IdSource } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { HttpRoute } from './http-route.js';
import { targetOf } from './inbound.js';
import { splitPath } from './path-pattern.js';
import { problemOf } from './problem.js';
import { RouteTable } from './route-table.js';
import { send } from './send.js';

/** Opens a server at an address; rejects with the reason of the system (`EADDRINUSE`). */
export type Listen = (server: Server, host: string, port: number) => Promise<void>;

/** On the network, where every server listens that is no part of a test. */
export const listenOnNetwork: Listen = (server, host, port) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** One node:http server with the routes that share its address. */
export class Listener {
  readonly routes = new RouteTable<HttpRoute>();
  #server: Server | null = null;
  #opening: Promise<void> | null = null;
  #closed: Promise<void> | null = null;

  constructor(
    readonly host: string,
    readonly port: number,
    private readonly ids: IdSource,
    private readonly listen: Listen = listenOnNetwork,
  ) {}

  /** The port that is really listened on, or null. */
  get actualPort(): number | null {
    const address = this.#server?.address() as AddressInfo | null | undefined;
    return address?.port ?? null;
  }

  /** Listens, once for all that ask. @throws HelixError `PLATFORM.WRONG_CONFIGURATION` when the address cannot be had */
  open(): Promise<void> {
    this.#opening ??= this.#listen();
    return this.#opening;
  }

  /** Stops listening at once; resolves when every connection is gone. Idle ones are closed now. */
  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#closed ??= new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    await this.#closed;
  }

  /** As {@link close}, and after so many milliseconds what has not ended by itself is ended. */
  async closeWithin(ms: number): Promise<void> {
    const server = this.#server;
    const timer = setTimeout(() => server?.closeAllConnections(), ms);
    await this.close();
    clearTimeout(timer);
  }

  async #listen(): Promise<void> {
    const server = createServer((request, response) => this.#dispatch(request, response));
    // Without a listener of its own node:http would invite the body before anybody judged the headers.
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      this.#dispatch(request, response),
    );
    try {
      await this.listen(server, this.host, this.port);
    } catch (cause) {
      throw cannotListen(this.host, this.port, cause);
    }
    this.#server = server;
  }

  #dispatch(request: IncomingMessage, response: ServerResponse): void {
    const target = targetOf(request);
    const path = splitPath(target.path);
    if (!path) {
      const message = 'The path holds a broken percent-encoding: write % as %25.';
      return this.#refuse(request, response, new HelixError('HTTP.BAD_REQUEST', message));
    }
    const found = this.routes.find(path, request.method ?? 'GET');
    if (!found) {
      const message = 'There is nothing at this address.';
      return this.#refuse(request, response, new HelixError('HTTP.UNKNOWN_ROUTE', message));
    }
    const { route, params, allow } = found;
    void route.handle({ request, response, target, params, allow });
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: HelixError): void {
    const requestId = this.ids.next();
    const problem = problemOf(error, { requestId, exposeErrors: false });
    const headers: Record<string, string> = { ...problem.headers, 'X-Request-Id': requestId };
    if (!request.complete) headers['Connection'] = 'close';
    send(request, response, { ...problem, headers });
  }
}

function cannotListen(host: string, port: number, cause: unknown): HelixError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const reason = reasons[code] ?? String(cause);
  return new HelixError('PLATFORM.WRONG_CONFIGURATION', `Cannot listen on ${host}:${port}: ${reason}.`, {
    cause,
  });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there, so stop it or choose another port',
  EACCES: 'this user may not, so choose a port from 1024',
  EADDRNOTAVAIL: 'the host is no address of this machine',
  ENOTFOUND: 'the host is no address of this machine',
};
