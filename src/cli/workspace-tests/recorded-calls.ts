import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { addressPattern, type AddressPattern } from '../../common/engine/runtime/address-pattern.js';

/** One message that was sent to a target, as it was at that moment. */
export interface Call {
  /** scheme://path, without options. */
  readonly address: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

export function addressOf({ scheme, path }: EndpointUri): string {
  return `${scheme}://${path}`;
}

/** An exact address is compared as the engine reads it: `direct:a` is `direct://a`. @throws SyntaxError, HelixError */
export function asAddress(text: string): AddressPattern {
  if (text.endsWith('*') || text.startsWith('/')) return addressPattern(text);
  return addressPattern(addressOf(EndpointUri.parse(text)));
}

/** Everything a test's workflows sent. */
export class RecordedCalls {
  readonly all: Call[] = [];

  /** @param graves addresses that error handlers name as their dead letter */
  constructor(
    private readonly now: () => number,
    private readonly graves: ReadonlySet<string>,
  ) {}

  add(address: string, exchange: Exchange): Call {
    const { body, headers } = exchange.in.copy();
    const call: Call = {
      address,
      body,
      headers: headers.toObject(),
      atMs: this.now(),
    };
    this.all.push(call);
    return call;
  }

  to(text: string): readonly Call[] {
    const fits = asAddress(text);
    return this.all.filter(({ address }) => fits(address));
  }

  /** What was sent to dead letters; a letter that its reader hands on counts once. */
  letters(): readonly Call[] {
    return this.all.filter(
      ({ address, headers }) =>
        address.startsWith('dead-letter://') ||
        (this.graves.has(address) && typeof headers['HelixFailureCode'] === 'string'),
    );
  }
}
