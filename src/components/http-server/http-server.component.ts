import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { readOptions } from '../../common/engine/api/options.js';
import type { WorkflowDirectory } from '../../common/engine/api/workflow-directory.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { listenAddress } from './address.js';
import { HttpRoute, type HttpServerPorts } from './http-route.js';
import { Listener } from './listener.js';
import { httpServerOptions } from './options.js';
import { clash } from './route-table.js';

export type { HttpServerPorts } from './http-route.js';
export type { HttpAttributes } from './inbound.js';

const graceMs = 2000;

/** `http-server://host:port/path/{id}`: serves a workflow over HTTP. Routes of one host and port share a listener. */
export class HttpServerComponent extends Component {
  readonly scheme = 'http-server';
  readonly description = 'Serves a workflow over HTTP.';
  readonly options = httpServerOptions;
  readonly #listeners = new Map<string, Listener>();
  /** Listeners that take no more connections, with answers still on their way. */
  readonly #closing = new Set<Listener>();
  /** Routes by the workspace version they were built for, so that two versions may stand side by side. */
  readonly #built = new WeakMap<WorkflowDirectory, Map<string, HttpRoute>>();

  constructor(private readonly ports: HttpServerPorts) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, httpServerOptions);
    const listen = listenAddress(uri, options['match-prefix']);
    return {
      uri,
      edge: true,
      consumer: (route) => {
        const served = new HttpRoute(uri, listen, options, route, this.ports);
        this.#refuseRival(served, route);
        return this.#consumer(served, route);
      },
    };
  }

  /** What was in flight has been answered by now; whoever is slow to read the answer gets a moment more. */
  override async close(): Promise<void> {
    const listeners = [...this.#listeners.values(), ...this.#closing];
    this.#listeners.clear();
    await Promise.all(listeners.map((listener) => listener.closeWithin(graceMs)));
  }

  #consumer(served: HttpRoute, route: Route): Consumer {
    let listener: Listener | null = null;
    return {
      start: async () => {
        listener = this.#listenerOf(served);
        const rival = listener.routes.rival(served);
        if (rival && this.#isCurrent(rival, served, route.directory)) throw taken(served, rival);
        // A rival of an older version of the workspace gives way: its requests run out, new ones come here.
        for (const old of listener.routes.all) if (old === rival || old.isGone) listener.routes.remove(old);
        listener.routes.add(served);
        await listener.open().catch((error: unknown) => {
          listener?.routes.remove(served);
          this.#listeners.delete(keyOf(served));
          throw error;
        });
      },
      stop: () => {
        served.drain();
        if (listener?.routes.all.every((other) => other.isDraining)) {
          this.#listeners.delete(keyOf(served));
          this.#closing.add(listener);
          const closed = listener;
          void closed.close().then(() => this.#closing.delete(closed));
        }
        return Promise.resolve();
      },
      get address() {
        const { host, port } = served.listen;
        const shown = host.includes(':') ? `[${host}]` : host;
        return `http://${shown}:${listener?.actualPort ?? port}${served.pattern.text}`;
      },
    };
  }

  #listenerOf(served: HttpRoute): Listener {
    const key = keyOf(served);
    const existing = this.#listeners.get(key);
    if (existing) return existing;
    const { host, port } = served.listen;
    const listener = new Listener(host, port, this.ports.ids, this.ports.listen);
    this.#listeners.set(key, listener);
    return listener;
  }

  /** Two workflows on one path and method are a mistake of the workspace, told when it is loaded. */
  #refuseRival(served: HttpRoute, route: Route): void {
    const built = this.#built.get(route.directory) ?? new Map<string, HttpRoute>();
    this.#built.set(route.directory, built);
    for (const [workflowId, other] of built) {
      if (keyOf(other) !== keyOf(served) || !clash(other, served)) continue;
      if (this.#isCurrent(other, served, route.directory)) throw taken(served, other);
      built.delete(workflowId);
    }
    built.set(served.workflowId, served);
  }

  /** Whether the other route is another workflow of the same version of the workspace. */
  #isCurrent(other: HttpRoute, served: HttpRoute, directory: WorkflowDirectory): boolean {
    if (other.workflowId === served.workflowId) return false;
    return (
      this.#built.get(directory)?.get(other.workflowId) === other &&
      directory.get(other.workflowId)?.from === other.from
    );
  }
}

const keyOf = ({ listen: { host, port } }: HttpRoute): string => `${host}:${port}`;

function taken(served: HttpRoute, rival: HttpRoute): HelixError {
  return new HelixError(
    'WORKSPACE.INVALID',
    `"${served.workflowId}" and "${rival.workflowId}" both serve ${served.pattern.text} of ${keyOf(served)}: give one another path or method.`,
  );
}
