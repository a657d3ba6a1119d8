import { Component, type Consumer, type Endpoint } from '../../common/engine/api/component.js';
import { readOptions } from '../../common/engine/api/options.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import { listenAddress } from './address.js';
import { Admission } from './admission.js';
import { HttpRoute, type HttpServerPorts } from './http-route.js';
import { Listener } from './listener.js';
import { methodsOf } from './methods.js';
import { httpServerOptions } from './options.js';
import { reviewRoutes } from './review-routes.js';

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

  constructor(private readonly ports: HttpServerPorts) {
    super();
  }

  override review(workspace: WorkspaceDefinition, report: (problem: WorkspaceProblem) => void): void {
    reviewRoutes(workspace, report);
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, httpServerOptions);
    const listen = listenAddress(uri, options['match-prefix']);
    methodsOf(options.method, false);
    // Tells of a guard that would guard nothing when the workspace is checked, not when it starts.
    void new Admission(uri, listen.host, options, this.ports.clock);
    return {
      uri,
      edge: true,
      consumer: (route) => this.#consumer(new HttpRoute(uri, listen, options, route, this.ports)),
    };
  }

  /** What was in flight has been answered by now; whoever is slow to read the answer gets a moment more. */
  override async close(): Promise<void> {
    const listeners = [...this.#listeners.values(), ...this.#closing];
    this.#listeners.clear();
    await Promise.all(listeners.map((listener) => listener.closeWithin(graceMs)));
  }

  #consumer(served: HttpRoute): Consumer {
    const { route } = served;
    let listener: Listener | null = null;
    return {
      start: async () => {
        listener = this.#listenerOf(served);
        const rival = listener.routes.rivals(served).find((other) => other.route.coexistsWith(route));
        if (rival) throw taken(served, rival);
        for (const old of listener.routes.all) if (old.route === route) listener.routes.remove(old);
        listener.routes.add(served);
        await listener.open().catch((error: unknown) => {
          listener?.routes.remove(served);
          this.#listeners.delete(keyOf(served));
          throw error;
        });
      },
      stop: async () => {
        if (!listener) return;
        if (served.isGone) listener.routes.remove(served);
        else served.drain();
        if (listener.routes.all.every((other) => other.isDraining)) this.#close(listener, served);
      },
      get address() {
        const { host, port } = served.listen;
        const shown = host.includes(':') ? `[${host}]` : host;
        return `http://${shown}:${listener?.actualPort ?? port}${served.pattern.text}`;
      },
      // Of a workflow that is stopped they are refused when they are there: nothing to wait for.
      get backlog() {
        return served.isDraining ? 0 : served.receiving;
      },
    };
  }

  #close(listener: Listener, last: HttpRoute): void {
    if (last.isGone) last.leave();
    this.#listeners.delete(keyOf(last));
    this.#closing.add(listener);
    void listener.close().then(() => this.#closing.delete(listener));
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
}

const keyOf = ({ listen: { host, port } }: HttpRoute): string => `${host}:${port}`;

function taken(served: HttpRoute, rival: HttpRoute): HelixError {
  return new HelixError(
    'WORKSPACE.INVALID',
    `"${served.workflowId}" and "${rival.workflowId}" both serve ${served.pattern.text} of ${keyOf(served)}: give one another path or method.`,
  );
}
