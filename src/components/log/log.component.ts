import { Component, type Endpoint } from '../../common/engine/api/component.js';
import { choice, flag, integer, readOptions } from '../../common/engine/api/options.js';
import type { Clock, Log } from '../../common/engine/api/ports.js';
import type { Processor } from '../../common/engine/api/processor.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';

/** Longer bodies are cut in the log. */
const LONGEST = 1000;

/** `log://name`: writes messages to the log, each one or, with `group-size`, the throughput of so many. */
export class LogComponent extends Component {
  readonly scheme = 'log';
  readonly description = 'Writes each message, or the throughput of groups of messages, to the log.';
  readonly options = {
    level: choice('How loud.', ['trace', 'debug', 'info', 'warn', 'error'], 'info'),
    'show-body': flag('Whether the body is written; bodies may hold what should not be in a log.'),
    'show-headers': flag('Whether the names of the headers are written.'),
    'group-size': integer('Write one line with the throughput for so many messages instead of each.', null, {
      minimum: 1,
    }),
  };

  constructor(
    private readonly log: Log,
    private readonly clock: Clock,
  ) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, this.options);
    const { level, 'group-size': groupSize } = options;
    const name = uri.path;
    if (name === '') throw new HelixError('WORKSPACE.INVALID', 'log:// needs a name: write log://name.');
    if (groupSize !== null) {
      const count = this.#counter(name, groupSize, (line, facts) => this.log.write(level, line, facts));
      return { uri, producer: () => count };
    }
    return {
      uri,
      producer: () => (exchange) => {
        if (this.log.isEnabled?.(level) === false) return;
        this.log.write(level, name, {
          exchange: exchange.id,
          correlation: exchange.correlationId,
          workflow: exchange.workflowId,
          ...(options['show-headers'] ? { headers: Object.keys(exchange.headers.toObject()) } : {}),
          ...(options['show-body'] ? { body: shorten(exchange) } : {}),
        });
      },
    };
  }

  #counter(
    name: string,
    size: number,
    write: (line: string, facts: Record<string, unknown>) => void,
  ): Processor {
    let count = 0;
    let since = this.clock.now();
    return () => {
      if (count === 0) since = this.clock.now();
      if (++count < size) return;
      const seconds = Math.max(this.clock.now() - since, 1) / 1000;
      write(`${name}: ${count} messages`, { messages: count, perSecond: Math.round(count / seconds) });
      count = 0;
    };
  }
}

function shorten({ in: message }: Exchange): string {
  const text = message.bodyAsString();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}
