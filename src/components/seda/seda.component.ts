import { Component, type Consumer, type Endpoint, type Route } from '../../common/engine/api/component.js';
import { readOptions } from '../../common/engine/api/options.js';
import type { Clock, IdSource, Log } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { counted } from '../../common/engine/model/counted.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
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
  /** The same without the ids, each once: what every message asks for. */
  readonly #queues = new Map<string, readonly Subscription[]>();
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
        return (exchange) => send(exchange, this.#open(name, exchange), sending);
      },
      consumer: (route) => this.#consumer(name, route, options),
    };
  }

  override async close(): Promise<void> {
    let lost = 0;
    for (const [name, readers] of this.#readers) {
      for (const subscription of readers.values()) {
        subscription.pauseAll();
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
    this.#queues.clear();
    this.#shared.clear();
    if (lost > 0) {
      this.ports.log.write(
        'warn',
        `${counted(lost, 'message')} still queued in memory when the engine stopped`,
        {
          messages: lost,
        },
      );
    }
  }

  /** @throws HelixError `ENGINE.NO_CONSUMER` */
  #open(name: string, exchange: Exchange): readonly Subscription[] {
    const queues = this.#queues.get(name) ?? [];
    const [only] = queues;
    if (queues.length === 1 && only?.takes(exchange) === true) return queues;
    const fitting = queues.filter((each) => each.takes(exchange));
    if (fitting.length > 0) return fitting;
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
        const isShared = options['multiple-consumers'];
        this.#admit(name, route, readers, isShared);
        mine =
          readers.get(id) ?? (isShared ? null : orphan(readers, route)) ?? new Subscription(name, options);
        readers.set(id, mine);
        this.#readers.set(name, readers);
        this.#queues.set(name, [...new Set(readers.values())]);
        mine.open(route, options);
      },
      stop: async () => {
        mine?.pause(route);
        if (!route.serves(null)) this.#forget(name, id);
      },
      get backlog() {
        return mine?.reader === route ? mine.backlog : 0;
      },
    };
  }

  /** An empty queue goes with its last reader; one that another workflow has taken over stays as that one's. */
  #forget(name: string, id: string): void {
    const readers = this.#readers.get(name);
    const subscription = readers?.get(id);
    if (!readers || !subscription) return;
    const isTaken = [...readers].some(([reader, each]) => reader !== id && each === subscription);
    if (!isTaken && (subscription.isOpen || subscription.backlog > 0)) return;
    readers.delete(id);
    if (readers.size > 0) this.#queues.set(name, [...new Set(readers.values())]);
    else {
      this.#readers.delete(name);
      this.#queues.delete(name);
    }
  }

  #admit(name: string, route: Route, readers: ReadonlyMap<string, Subscription>, isShared: boolean): void {
    const { id } = route.workflow;
    const other = [...readers].find(([reader, each]) => reader !== id && each.isOfSameVersion(route));
    if (other !== undefined && !(isShared && this.#shared.get(name) === true)) {
      throw new HelixError(
        'WORKSPACE.INVALID',
        `seda://${name} already has a consumer, the workflow "${other[0]}": for several, each trigger says multiple-consumers=true.`,
      );
    }
    this.#shared.set(name, isShared);
  }
}

/** The queue of a workflow that has another name in the next version: what waits in it is not lost. */
function orphan(readers: ReadonlyMap<string, Subscription>, route: Route): Subscription | undefined {
  return [...readers.values()].find((each) => !each.isOfSameVersion(route));
}
