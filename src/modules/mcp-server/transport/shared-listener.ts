import type { McpEndpoint } from './http-endpoint.js';
import { Listener } from './listener.js';
import { OpenRequests } from './open-requests.js';

interface Tenant {
  readonly endpoint: McpEndpoint;
  readonly isCurrent: () => boolean;
  readonly open: OpenRequests;
}

/**
 * One address that is handed from one version of a workflow to the next without being closed: requests go to the endpoint
 * whose version counts.
 */
export class SharedListener {
  #tenants: readonly Tenant[] = [];
  readonly #listener = new Listener((request, response) => {
    const tenant = this.#tenants.find(({ isCurrent }) => isCurrent()) ?? this.#tenants[0];
    if (!tenant) return void response.writeHead(503, { connection: 'close' }).end();
    tenant.open.add(response);
    tenant.endpoint.handle(request, response);
  });

  get port(): number {
    return this.#listener.port;
  }

  /** @throws HelixError `WORKSPACE.INVALID` where the address cannot be had */
  listen(host: string, port: number): Promise<void> {
    return this.#listener.listen(host, port);
  }

  admit(endpoint: McpEndpoint, isCurrent: () => boolean): void {
    this.#tenants = [...this.#tenants, { endpoint, isCurrent, open: new OpenRequests() }];
  }

  /** Lets the endpoint's calls run out, at most `graceMs`; the address is closed with the last one. */
  async leave(endpoint: McpEndpoint, graceMs: number): Promise<void> {
    const tenant = this.#tenants.find((each) => each.endpoint === endpoint);
    const isLast = this.#tenants.length === 1;
    tenant?.open.forget(endpoint.drain());
    if (isLast) await this.#listener.drain(graceMs);
    else {
      this.#tenants = this.#tenants.filter((each) => each !== tenant);
      await tenant?.open.idle(graceMs);
    }
    endpoint.close();
    if (isLast) await this.#listener.close();
  }
}
