import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { handOver } from '../../common/engine/api/hand-over.js';
import { Listeners } from '../../common/engine/api/listeners.js';
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
  readonly #listeners = new Listeners<{ readonly route: Route }>();

  endpoint(uri: EndpointUri): Endpoint {
    readOptions(uri, this.options);
    const name = uri.path;
    if (name === '')
      throw new HelixError('WORKSPACE.INVALID', 'direct:// needs a name: write direct://name.');
    return {
      uri,
      pairing: 'one',
      producer: () => (exchange) => {
        const listener = this.#listeners.find(name, exchange);
        if (listener) return handOver(listener.route, exchange);
        throw new HelixError('ENGINE.NO_CONSUMER', `No workflow listens on direct://${name}.`, {
          details: { name },
        });
      },
      consumer: (route) => this.#consumer(name, route),
    };
  }

  #consumer(name: string, route: Route): Consumer {
    const listener = { route };
    return {
      start: async () => {
        const other = this.#listeners.rival(name, route);
        if (other) {
          throw new HelixError(
            'WORKSPACE.INVALID',
            `direct://${name} already has a consumer, the workflow "${other.route.workflow.id}".`,
          );
        }
        this.#listeners.add(name, listener);
      },
      stop: async () => this.#listeners.remove(name, listener),
    };
  }
}
