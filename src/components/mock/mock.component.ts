import { pause } from '../../common/engine/api/abort.js';
import { Component, type Endpoint } from '../../common/engine/api/component.js';
import { duration, integer, readOptions, text } from '../../common/engine/api/options.js';
import type { Clock } from '../../common/engine/api/ports.js';
import type { Processor } from '../../common/engine/api/processor.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';

/** What a mock received, as it was at that moment. */
export interface MockMessage {
  readonly exchangeId: string;
  readonly workflowId: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

const mockOptions = {
  reply: text('The new body: JSON as data, other text as it is. Without the option the body stays.'),
  fail: text('Fail with this message instead of replying.'),
  'fail-times': integer('How many of the first messages fail; 0 means all.', 0, { minimum: 0 }),
  delay: duration('How long each message takes.', 0),
  keep: integer('How many of the newest messages are remembered.', 100, { minimum: 0 }),
};

interface Memory {
  received: MockMessage[];
  count: number;
  readonly script: Processor[];
}

/**
 * `mock://name`: stands in for something outside. It remembers what it was sent and answers as it was told, by its
 * options or, from a test, by a script.
 */
export class MockComponent extends Component {
  readonly scheme = 'mock';
  readonly description = 'Stands in for something outside: remembers messages and answers as told.';
  readonly options = mockOptions;
  readonly #memories = new Map<string, Memory>();

  constructor(private readonly clock: Clock) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const { reply, fail, 'fail-times': failTimes, delay, keep } = readOptions(uri, mockOptions);
    const name = uri.path;
    if (name === '') throw new HelixError('WORKSPACE.INVALID', 'mock:// needs a name: write mock://name.');
    if (failTimes > 0 && fail === null) {
      throw new HelixError('WORKSPACE.WRONG_OPTION', '"fail-times" needs "fail", the message to fail with.', {
        details: { option: 'fail-times' },
      });
    }
    const answer = (exchange: Exchange, nth: number): void | Promise<void> => {
      const scripted = this.#memory(name).script.shift();
      if (scripted) return scripted(exchange);
      if (fail !== null && (failTimes === 0 || nth <= failTimes)) {
        throw new HelixError('ENGINE.THROWN', fail, { details: { mock: name } });
      }
      // Parsed anew for each message, so that no two share what they may change.
      if (reply !== null) exchange.body = read(reply);
    };
    return {
      uri,
      producer: () => (exchange) => {
        const nth = this.#remember(name, exchange, keep);
        if (delay === 0) return answer(exchange, nth);
        return pause(this.clock, delay, exchange.signal).then(() => answer(exchange, nth));
      },
    };
  }

  /** What came to `mock://name`, oldest first. */
  received(name: string): readonly MockMessage[] {
    return this.#memory(name).received;
  }

  /** How many came, those no longer remembered included. */
  count(name: string): number {
    return this.#memory(name).count;
  }

  /** The next messages are answered by these, one each and in order; then the options of the URI count again. */
  script(name: string, ...answers: readonly Processor[]): void {
    this.#memory(name).script.push(...answers);
  }

  /** Forgets what was received and what is scripted. */
  reset(): void {
    this.#memories.clear();
  }

  override async close(): Promise<void> {
    this.reset();
  }

  #remember(name: string, exchange: Exchange, keep: number): number {
    const memory = this.#memory(name);
    const { body, headers } = exchange.in.copy();
    const { id: exchangeId, workflowId } = exchange;
    memory.received.push({ exchangeId, workflowId, body, headers: headers.toObject() });
    if (memory.received.length > keep) memory.received = memory.received.slice(-keep || Infinity);
    return ++memory.count;
  }

  #memory(name: string): Memory {
    let memory = this.#memories.get(name);
    if (!memory) this.#memories.set(name, (memory = { received: [], count: 0, script: [] }));
    return memory;
  }
}

function read(reply: string): unknown {
  try {
    return JSON.parse(reply);
  } catch {
    return reply;
  }
}
