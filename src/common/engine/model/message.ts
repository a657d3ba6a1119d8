import { isolate } from './isolate.js';
import { MessageHeaders } from './message-headers.js';

/** A body with its headers. */
export class Message {
  constructor(
    public body: unknown = null,
    readonly headers: MessageHeaders = new MessageHeaders(),
  ) {}

  /** A message that shares no mutable state with this one. */
  copy(): Message {
    return new Message(isolate(this.body), this.headers.copy());
  }

  /** The body as text: strings as they are, bytes as UTF-8, null as `''`, everything else as JSON. */
  bodyAsString(): string {
    const { body } = this;
    if (typeof body === 'string') return body;
    if (body === null || body === undefined) return '';
    if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
    return typeof body === 'bigint' ? body.toString() : (JSON.stringify(body) ?? '');
  }
}
