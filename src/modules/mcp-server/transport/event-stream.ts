import type { ServerResponse } from 'node:http';
import type { Beating, Heartbeat } from './heartbeat.js';

/** Bytes that may wait for a peer which does not read; beyond them it is taken for gone. */
const mostWaiting = 4 * 1024 * 1024;

/** A response as server-sent events (HTML standard, "Server-sent events"). */
export class EventStream implements Beating {
  #isOpen = true;

  constructor(
    private readonly response: ServerResponse,
    private readonly heartbeat: Heartbeat,
    headers: Readonly<Record<string, string>> = {},
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      // Proxies that buffer would hold back the very frames that keep the connection alive.
      'x-accel-buffering': 'no',
      ...headers,
    });
    response.flushHeaders();
    heartbeat.add(this);
    response.once('close', () => this.#leave());
  }

  send(message: object, id?: string): void {
    this.#write(
      `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`,
    );
  }

  /** A named event whose data is plain text, or an event that only sets the id to resume from. */
  sendText(
    data: string,
    extra: { readonly event?: string; readonly id?: string; readonly retryMs?: number } = {},
  ): void {
    const retry = extra.retryMs === undefined ? '' : `retry: ${extra.retryMs}\n`;
    const id = extra.id === undefined ? retry : `id: ${extra.id}\n${retry}`;
    this.#write(`${id}${extra.event === undefined ? '' : `event: ${extra.event}\n`}data: ${data}\n\n`);
  }

  beat(): void {
    this.#write(': keep-alive\n\n');
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#leave();
    this.response.end();
  }

  #write(text: string): void {
    if (!this.#isOpen) return;
    this.response.write(text);
    if (this.response.writableLength > mostWaiting) this.response.destroy();
  }

  #leave(): void {
    this.#isOpen = false;
    this.heartbeat.remove(this);
  }
}
