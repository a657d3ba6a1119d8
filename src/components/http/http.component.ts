import { abortReason, whenAborted } from '../../common/engine/api/abort.js';
import { Component, type Endpoint } from '../../common/engine/api/component.js';
import { readOptions } from '../../common/engine/api/options.js';
import type { Clock } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange } from '../../common/engine/model/exchange.js';
import { addressOf, buildRequest } from './build-request.js';
import { follow } from './follow.js';
import type { HttpAnswer, HttpCaller } from './http-caller.js';
import { httpOptions, type HttpOptions } from './options.js';
import { readReply } from './read-reply.js';

/** Names of the headers that the reply's headers become; a reply that the workflow itself gives has others. */
const replyPrefix = 'http.reply.';

/**
 * `http://` and `https://`: calls a server. Of the message goes out what the options name and nothing else; of the reply
 * come back the body, the status and the headers.
 */
export class HttpComponent extends Component {
  readonly description = 'Calls a server over HTTP.';
  readonly options = httpOptions;

  constructor(
    readonly scheme: 'http' | 'https',
    private readonly caller: HttpCaller,
    private readonly clock: Clock,
  ) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const options = readOptions(uri, httpOptions);
    const address = addressOf(uri, options);
    return { uri, producer: () => (exchange) => this.#send(exchange, address, options) };
  }

  override async close(): Promise<void> {
    this.caller.close();
  }

  async #send(exchange: Exchange, address: URL, options: HttpOptions): Promise<void> {
    const { signal } = exchange;
    const request = buildRequest(exchange, address, options);
    const leash = this.#leash(signal, address, options.timeout);
    let answer: HttpAnswer;
    try {
      const call = { ...request, maxBytes: options['max-response-bytes'], signal: leash.signal };
      answer = await follow(this.caller, call, options.redirects);
    } catch (thrown) {
      throw leash.signal.aborted ? abortReason(leash.signal) : thrown;
    } finally {
      leash.release();
    }
    // Given up in the same moment: the exchange is on another way.
    if (signal.aborted) throw abortReason(signal);
    const { status } = answer;
    if (status >= 400 && options['throw-on-error']) {
      throw new HelixError(
        'HTTP.TARGET_FAILED',
        `${request.method} ${address.host}${address.pathname} answered with the status ${status}.`,
        { details: { status, host: address.host } },
      );
    }
    const body = readReply(answer);
    takeOver(exchange, answer);
    exchange.body = body;
  }

  #leash(
    outer: AbortSignal,
    { host }: URL,
    timeout: number,
  ): { readonly signal: AbortSignal; release(): void } {
    const controller = new AbortController();
    const late = (): void =>
      controller.abort(
        new HelixError('ENGINE.TIMED_OUT', `${host} did not answer within ${timeout} ms.`, {
          details: { host },
        }),
      );
    const unschedule = timeout > 0 ? this.clock.schedule(timeout, late) : null;
    const forget = whenAborted(outer, () => controller.abort(abortReason(outer)));
    return {
      signal: controller.signal,
      release: () => {
        unschedule?.();
        forget();
      },
    };
  }
}

function takeOver({ headers }: Exchange, answer: HttpAnswer): void {
  // What was meant for this call, and what is left of the last one.
  headers.delete('HelixHttpQuery');
  headers.delete('HelixHttpMethod');
  const names = Object.keys(headers.toObject());
  for (const name of names) if (name.toLowerCase().startsWith(replyPrefix)) headers.delete(name);
  for (const [name, value] of Object.entries(answer.headers)) headers.set(`${replyPrefix}${name}`, value);
  headers.set('HelixHttpCallStatus', answer.status);
}
