import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { readOptions } from '../../common/engine/api/options.js';
import type { Clock, IdSource, Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import { refuseForeign, sedaOptions, type SedaOptions } from './options.js';
import { Patience } from './patience.js';
import { send } from './send.js';
import { Subscription } from './subscription.js';

export interface SedaPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
}

/**
 * `seda://name`: a bounded queue in memory between workflows. What is handed over is always a copy; the sender waits only
 * where a reply is expected. The queue belongs to the name and the workflow that reads it, so that a restart of the
 * workflow loses nothing; when the engine stops, it runs out first.
 */
export class SedaComponent extends Component {
  readonly scheme = 'seda';
  readonly description = 'Hands a copy of the message to another workflow through a bounded queue.';
  readonly options = sedaOptions;
  /** By name, then by the id of the workflow that reads. */
  readonly #readers = new Map<string, Map<string, Subscription>>();
  readonly #shared = new Map<string, boolean>();

  constructor(private readonly ports: SedaPorts) {
    super();
  }

  override review({ workflows }: WorkspaceDefinition, report: (problem: WorkspaceProblem) => void): void {
    for (const { trigger } of workflows) {
      if (!/^\s*seda:/i.test(trigger.uri)) continue;
      try {
        const { uri, parameters, secrets, shownPath } = trigger;
        refuseForeign(EndpointUri.parse(uri, parameters, secrets, shownPath), 'trigger');
      } catch (thrown) {
        const error = HelixError.from(thrown);
        // Text that is no URI at all is reported where the workflow is built.
        if (error.code !== 'WORKSPACE.WRONG_OPTION') continue;
        report({ severity: 'error', rule: 'wrong-option', message: error.message, place: trigger.place });
      }
    }
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, sedaOptions);
    const name = uri.path;
    if (name === '') throw new HelixError('WORKSPACE.INVALID', 'seda:// needs a name: write seda://name.');
    return {
      uri,
      pairing: options['multiple-consumers'] ? 'many' : 'one',
      producer: () => {
        refuseForeign(uri, 'target');
        const { clock, ids } = this.ports;
        const sending = { ids, name, options, patience: new Patience(options.timeout, clock) };
        return (exchange) => send(exchange, this.#open(name), sending);
      },
      consumer: (route) => this.#consumer(name, route, options),
    };
  }

  override async close(): Promise<void> {
    let lost = 0;
    for (const [name, readers] of this.#readers) {
      for (const subscription of readers.values()) {
        subscription.pause();
        for (const { exchange, done } of subscription.empty()) {
          lost++;
          exchange.fail(
            new HelixError(
              'ENGINE.STOPPING',
              `The server stopped before seda://${name} came to this message.`,
            ),
          );
          done();
        }
      }
    }
    this.#readers.clear();
    this.#shared.clear();
    if (lost > 0) {
      this.ports.log.write('warn', `${lost} messages were still queued in memory when the engine stopped`, {
        messages: lost,
      });
    }
  }

  /** @throws HelixError `ENGINE.NO_CONSUMER` */
  #open(name: string): readonly Subscription[] {
    const readers = this.#readers.get(name);
    if (readers) return [...readers.values()];
    throw new HelixError('ENGINE.NO_CONSUMER', `No workflow listens on seda://${name}.`, {
      details: { name },
    });
  }

  #consumer(name: string, route: Route, options: SedaOptions): Consumer {
    const { id } = route.workflow;
    let mine: Subscription | null = null;
    return {
      start: async () => {
        const readers = this.#readers.get(name) ?? new Map<string, Subscription>();
        this.#admit(name, id, readers, options['multiple-consumers']);
        mine = readers.get(id) ?? new Subscription(name, options);
        readers.set(id, mine);
        this.#readers.set(name, readers);
        mine.open(route, options);
      },
      stop: async () => mine?.pause(),
      get backlog() {
        return mine?.isOpen === true ? mine.backlog : 0;
      },
    };
  }

  #admit(name: string, id: string, readers: ReadonlyMap<string, Subscription>, isShared: boolean): void {
    const other = [...readers.keys()].find((reader) => reader !== id);
    if (other !== undefined && !(isShared && this.#shared.get(name) === true)) {
      throw new HelixError(
        'WORKSPACE.INVALID',
        `seda://${name} already has a consumer, the workflow "${other}": for several, each trigger says multiple-consumers=true.`,
      );
    }
    this.#shared.set(name, isShared);
  }
}
