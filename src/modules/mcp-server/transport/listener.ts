import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { OpenRequests } from './open-requests.js';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP server on an address of its own. */
export class Listener {
  readonly #server: Server;
  readonly #open = new OpenRequests();

  constructor(handler: Handler) {
    this.#server = createServer({ keepAlive: true, keepAliveInitialDelay: 30_000 }, (request, response) => {
      this.#open.add(response);
      handler(request, response);
    });
    // Longer than the idle time-outs of common proxies, so that it is they who close a connection first.
    this.#server.keepAliveTimeout = 75_000;
  }

  get port(): number {
    const address = this.#server.address() as AddressInfo | null;
    return address?.port ?? 0;
  }

  /** @throws HelixError `WORKSPACE.INVALID` where the address cannot be had */
  async listen(host: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause)));
      this.#server.listen({ host, port }, resolve);
    });
  }

  /** Takes no new connections and resolves when all requests are answered, or after `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    this.#server.close();
    this.#server.closeIdleConnections();
    await this.#open.idle(graceMs);
  }

  /** Cuts what is left. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): HelixError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another server listens there already: stop it, or choose another port',
    EACCES: 'the port needs privileges: choose one above 1023',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'the host name is not known',
  };
  const reason = reasons[cause.code ?? ''] ?? cause.message;
  return new HelixError('WORKSPACE.INVALID', `mcp-server://${host}:${port} cannot listen: ${reason}.`, {
    cause,
  });
}
