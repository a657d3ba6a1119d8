import { Component, type Endpoint } from '../../common/engine/api/component.js';
import { readOptions, text } from '../../common/engine/api/options.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import type { McpOffers } from './mcp-offers.js';
import { nameOf, offered } from './mcp-prompt.component.js';
import { UriTemplate } from './uri-template.js';

/** Which URI of a template changed. */
const changedUri = 'HelixMcpResourceUri';

/**
 * `mcp-resource://name`: as a trigger, a workflow whose reply is the content of a resource; as a target, tells the clients
 * that watch the resource that it changed.
 */
export class McpResourceComponent extends Component {
  readonly scheme = 'mcp-resource';
  readonly description =
    'Offers the reply of the workflow as a resource to MCP clients; as a target, tells them that it changed.';
  readonly options = {
    uri: text('The URI under which clients read it, e.g. notes://today.'),
    template: text('A URI with {names} instead: what stands in their place is the body, e.g. notes://{day}.'),
    title: text('What a person reads in place of the name.'),
    'mime-type': text(
      'Its media type. By default that of the Content-Type header, or one that fits the body.',
    ),
  };

  constructor(private readonly offers: McpOffers) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, this.options);
    const name = nameOf(uri, this.scheme);
    if (options.uri !== null && options.template !== null)
      throw wrongOption('A resource has a uri or a template, not both.', 'template');
    if (options.uri !== null && !/^[a-z][a-z0-9+.-]*:./i.test(options.uri))
      throw wrongOption(`"${options.uri}" is no URI: write it with its scheme, e.g. notes://today.`, 'uri');
    const at = options.template === null ? options.uri : new UriTemplate(options.template);
    const { title, 'mime-type': mimeType } = options;
    // Without an address it is a target: one listens under a uri or a template.
    if (at === null) return { uri, producer: () => (exchange) => this.#changed(name, exchange) };
    return {
      uri,
      consumer: (route) =>
        offered(this.offers, route, { kind: 'resource', name, title, mimeType, route, at }),
    };
  }

  #changed(name: string, exchange: Exchange): void {
    const resource = this.offers.resources().find((each) => each.name === name);
    if (!resource) {
      throw new HelixError('ENGINE.NO_CONSUMER', `No workflow is the resource mcp-resource://${name}.`, {
        details: { name },
      });
    }
    const { at } = resource;
    if (typeof at === 'string') return this.offers.updated(at);
    const uri = exchange.headers.get(changedUri);
    if (typeof uri === 'string' && at.match(uri) !== null) return this.offers.updated(uri);
    throw new HelixError(
      'ENGINE.INVALID_MESSAGE',
      `Set the header ${changedUri} to the URI of ${at.text} that changed.`,
    );
  }
}

function wrongOption(message: string, option: string): HelixError {
  return new HelixError('WORKSPACE.WRONG_OPTION', message, { details: { option } });
}
