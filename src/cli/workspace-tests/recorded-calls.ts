import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { addressPattern, type AddressPattern } from '../../common/engine/runtime/address-pattern.js';
import { EndpointUri as Uri } from '../../common/engine/model/endpoint-uri.js';

/** One message that was sent to a target, as it was at that moment. */
export interface Call {
  /** scheme://path, without options. */
  readonly address: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly exchangeId: string;
  readonly atMs: number;
}

export function addressOf({ scheme, path }: EndpointUri): string {
  return `${scheme}://${path}`;
}

/** An exact address is compared as the engine reads it: `direct:a` is `direct://a`. @throws SyntaxError, HelixError */
export function asAddress(text: string): AddressPattern {
  if (text.endsWith('*') || text.startsWith('/')) return addressPattern(text);
  return addressPattern(addressOf(Uri.parse(text)));
}

/** Everything a test's workflows sent. */
export class RecordedCalls {
  readonly all: Call[] = [];

  constructor(private readonly now: () => number) {}

  add(address: string, exchange: Exchange): Call {
    const { body, headers } = exchange.in.copy();
    const call: Call = {
      address,
      body,
      headers: headers.toObject(),
      exchangeId: exchange.id,
      atMs: this.now(),
    };
    this.all.push(call);
    return call;
  }

  to(text: string): readonly Call[] {
    const fits = asAddress(text);
    return this.all.filter(({ address }) => fits(address));
  }

  /** What an error handler sent to its dead-letter target; a letter that is handed on counts once. */
  letters(): readonly Call[] {
    const seen = new Set<string>();
    return this.all.filter(({ headers, exchangeId }) => {
      if (typeof headers['HelixFailureCode'] !== 'string' || seen.has(exchangeId)) return false;
      seen.add(exchangeId);
      return true;
    });
  }
}
