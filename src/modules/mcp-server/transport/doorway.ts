import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../../common/engine/api/ports.js';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { Admission, Door } from '../security/door.js';
import type { Origins } from '../security/origins.js';
import { acceptedBy, type HttpRequest } from './http-request.js';
import { refuseUnread } from './send.js';

export interface DoorwayParts {
  readonly door: Door;
  readonly log: Log;
  /** Null where whoever mounts the endpoint guards Host and Origin. */
  readonly origins: Origins | null;
  /** Paths it answers at; null where it is mounted at one. */
  readonly paths: ReadonlySet<string> | null;
}

/**
 * What every request passes before a transport sees it, in this order and without a byte of its body being read: Host
 * and Origin, CORS, trusted proxy, address, key, rate (contract/mcp-server-component, "Per-call security stack").
 */
export class Doorway {
  #isClosed = false;

  constructor(
    private readonly parts: DoorwayParts,
    private readonly serve: (http: HttpRequest) => void | Promise<void>,
  ) {}

  close(): void {
    this.#isClosed = true;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#receive(request, response).catch((thrown: unknown) => {
      this.parts.log.write('error', 'Serving an MCP request failed.', { error: thrown });
      if (response.headersSent) response.destroy();
      else refuseUnread(response, new HelixError('ENGINE.INTERNAL', 'The server failed.'));
    });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origins, door } = this.parts;
    const refusal = this.#refusal(request) ?? origins?.judge(request, response);
    if (refusal) return refuseUnread(response, refusal);
    if (request.method === 'OPTIONS' && origins) return origins.preflight(request, response);
    const verdict = door.admit(request);
    const admission: Admission | HelixError = verdict instanceof Promise ? await verdict : verdict;
    if (admission instanceof HelixError) return refuseUnread(response, admission);
    await this.serve({ request, response, admission, accepted: acceptedBy(request) });
  }

  #refusal(request: IncomingMessage): HelixError | null {
    if (this.#isClosed) return new HelixError('ENGINE.STOPPING', 'The server is shutting down.');
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (this.parts.paths === null || this.parts.paths.has(path)) return null;
    return new HelixError('HTTP.UNKNOWN_ROUTE', 'There is nothing at this address.');
  }
}
