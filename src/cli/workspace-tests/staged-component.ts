import {
  Component,
  type AdoptedVersion,
  type Consumer,
  type Endpoint,
} from '../../common/engine/api/component.js';
import type { Processor } from '../../common/engine/api/processor.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import { addressOf, type RecordedCalls } from './recorded-calls.js';
import type { StandIns } from './stand-ins.js';
import type { VirtualClock } from './virtual-clock.js';

/** How far a component is the real one: `inner` runs as it is; `open` too, and reaches outside; `closed` only parses. */
export type Reach = 'inner' | 'open' | 'closed';

export interface Staging {
  readonly standIns: StandIns;
  readonly calls: RecordedCalls;
  readonly clock: VirtualClock;
  /** Addresses outside that were reached although nothing stands in for them. */
  readonly refused: Set<string>;
  /** Whether a trigger that starts work by itself (a timer) may do so. */
  readonly starts: (uri: EndpointUri) => boolean;
}

/** A component of a test: the real one, with mocks in place of targets, faults before them, and every call noted. */
export class StagedComponent extends Component {
  readonly scheme;
  readonly description;
  readonly options;
  override readonly lastResort?: (workflowId: string) => string;

  constructor(
    private readonly real: Component,
    private readonly reach: Reach,
    private readonly staging: Staging,
  ) {
    super();
    ({ scheme: this.scheme, description: this.description, options: this.options } = real);
    if (real.lastResort && reach !== 'closed') this.lastResort = (id) => real.lastResort?.(id) ?? '';
  }

  override review(workspace: WorkspaceDefinition, report: (problem: WorkspaceProblem) => void): void {
    this.real.review?.(workspace, report);
  }

  override adopt(workspace: WorkspaceDefinition, version: AdoptedVersion): void {
    if (this.reach !== 'closed') this.real.adopt?.(workspace, version);
  }

  override async close(): Promise<void> {
    if (this.reach !== 'closed') await this.real.close();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const real = this.real.endpoint(uri);
    const { standIns, starts } = this.staging;
    const address = addressOf(uri);
    const mock = standIns.mockOf(address);
    return {
      uri,
      ...(real.producer ? { producer: () => this.#producer(uri, real, mock) } : {}),
      ...(real.consumer
        ? {
            consumer: (route) =>
              this.reach === 'closed' || !starts(uri) ? quiet() : (real.consumer?.(route) ?? quiet()),
          }
        : {}),
      ...(real.edge === undefined ? {} : { edge: real.edge }),
      ...(real.wantsReceived === undefined ? {} : { wantsReceived: real.wantsReceived }),
      ...(real.comesAgain === undefined ? {} : { comesAgain: real.comesAgain }),
      // Whoever is mocked need not be there.
      ...(real.pairing === undefined || mock ? {} : { pairing: real.pairing }),
      ...(real.reset && this.reach !== 'closed' ? { reset: () => real.reset?.() } : {}),
    };
  }

  #producer(uri: EndpointUri, real: Endpoint, mock: Processor | undefined): Processor {
    const { standIns, calls, clock } = this.staging;
    const address = addressOf(uri);
    const target = standIns.withFaults(address, mock ?? this.#target(uri, real));
    return (exchange) => {
      clock.stir();
      calls.add(address, exchange);
      return target(exchange);
    };
  }

  #target(uri: EndpointUri, real: Endpoint): Processor {
    const { standIns, clock, refused } = this.staging;
    if (this.reach === 'inner') return real.producer?.() ?? (() => {});
    const shown = uri.toString().split('?')[0] ?? '';
    if (this.reach === 'closed' || !standIns.isAllowed(addressOf(uri))) {
      return () => {
        refused.add(shown);
        throw new HelixError(
          'TEST.UNMOCKED_TARGET',
          `${shown} is outside and nothing stands in for it: add it to mocks, or to allow to really call it.`,
        );
      };
    }
    const process = real.producer?.() ?? (() => {});
    return async (exchange) => {
      const release = clock.hold();
      try {
        await process(exchange);
      } finally {
        release();
      }
    };
  }
}

/** Opens nothing and hears nothing: messages come from the test. */
function quiet(): Consumer {
  return { start: () => Promise.resolve(), stop: () => Promise.resolve() };
}
