import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { readOptions, text } from '../../common/engine/api/options.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { McpOffers } from './mcp-offers.js';

/** `mcp-prompt://name`: a workflow whose reply is a prompt of the MCP servers of the workspace. */
export class McpPromptComponent extends Component {
  readonly scheme = 'mcp-prompt';
  readonly description =
    'Offers the workflow as a prompt to MCP clients; its input-schema names the arguments.';
  readonly options = { title: text('What a person reads in place of the name.') };

  constructor(private readonly offers: McpOffers) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const { title } = readOptions(uri, this.options);
    const name = nameOf(uri, 'mcp-prompt');
    return {
      uri,
      consumer: (route) => offered(this.offers, route, { kind: 'prompt', name, title, route }),
    };
  }
}

/** @throws HelixError `WORKSPACE.INVALID` */
export function nameOf({ path }: EndpointUri, scheme: string): string {
  if (/^[A-Za-z0-9_.-]{1,128}$/.test(path)) return path;
  throw new HelixError(
    'WORKSPACE.INVALID',
    `${scheme}:// needs a name of letters, digits, ".", "_" and "-": write ${scheme}://name.`,
  );
}

/** A trigger that is offered for as long as its workflow runs. Whoever calls it has checked nothing yet. */
export function offered(offers: McpOffers, route: Route, trigger: Parameters<McpOffers['add']>[0]): Consumer {
  return {
    start: async () => offers.add(trigger),
    stop: async () => offers.remove(trigger),
    receive: (exchange) => {
      const fields = route.violations(exchange.body);
      const [first] = fields;
      if (first === undefined) return;
      throw new HelixError('TOOL.INVALID_ARGUMENTS', `${first.path || 'The arguments'}: ${first.message}`, {
        fields,
      });
    },
  };
}
