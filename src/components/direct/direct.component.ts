import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { handOver } from '../../common/engine/api/hand-over.js';
import { readOptions } from '../../common/engine/api/options.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';

/**
 * `direct://name`: calls another workflow like a function, on the same exchange. Exactly one workflow listens on a name;
 * a circle of calls is stopped by the engine's depth limit.
 */
export class DirectComponent extends Component {
  readonly scheme = 'direct';
  readonly description = 'Calls another workflow of the workspace, on the same exchange.';
  readonly options = {};
  readonly #listeners = new Map<string, Route>();

  endpoint(uri: EndpointUri): Endpoint {
    readOptions(uri, this.options);
    const name = uri.path;
    if (name === '')
      throw new HelixError('WORKSPACE.INVALID', 'direct:// needs a name: write direct://name.');
    return {
      uri,
      pairing: 'one',
      producer: () => (exchange) => {
        const route = this.#listeners.get(name);
        if (route) return handOver(route, exchange);
        throw new HelixError('ENGINE.NO_CONSUMER', `No workflow listens on direct://${name}.`, {
          details: { name },
        });
      },
      consumer: (route) => this.#consumer(name, route),
    };
  }

  #consumer(name: string, route: Route): Consumer {
    return {
      start: async () => {
        const other = this.#listeners.get(name);
        if (other) {
          throw new HelixError(
            'WORKSPACE.INVALID',
            `direct://${name} already has a consumer, the workflow "${other.workflow.id}".`,
          );
        }
        this.#listeners.set(name, route);
      },
      stop: async () => {
        if (this.#listeners.get(name) === route) this.#listeners.delete(name);
      },
    };
  }
}
