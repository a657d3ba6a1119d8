import type { ServerResponse } from 'node:http';
import { notification } from '../protocol/json-rpc.js';
import { EventStream } from './event-stream.js';
import type { Beating, Heartbeat } from './heartbeat.js';
import { sendJson } from './send.js';

export interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
}

/**
 * The answer to a POST: JSON while it comes quickly, an event stream once it takes so long that the connection must show
 * life. To ask for progress (`progressToken`) is to be told that the work goes on.
 */
export class PostReply implements Beating {
  #stream: EventStream | null = null;
  #isDone = false;
  #beats = 0;

  constructor(
    private readonly response: ServerResponse,
    private readonly accepted: Accepted,
    private readonly heartbeat: Heartbeat,
    private readonly progressToken: string | number | null,
    /** Called once if the peer leaves before it has its answer. */
    onGone: () => void,
  ) {
    heartbeat.add(this);
    response.once('close', () => {
      this.#leave();
      if (!response.writableFinished) onGone();
    });
  }

  beat(): void {
    if (this.#isDone || !this.accepted.stream) return;
    if (this.#stream === null) this.#openStream().beat();
    this.#beats++;
    if (this.progressToken === null) return;
    const progress = { progressToken: this.progressToken, progress: this.#beats, message: 'still running' };
    this.#stream?.send(notification('notifications/progress', progress));
  }

  /** `payload` undefined: nothing is owed, since the request was cancelled. */
  finish(status: number, payload: object | undefined): void {
    if (this.#isDone) return;
    this.#leave();
    if (this.response.destroyed) return;
    if (this.#stream === null && payload !== undefined && (this.accepted.json || status !== 200)) {
      sendJson(this.response, status, payload);
      return;
    }
    if (this.#stream === null && payload === undefined && !this.accepted.stream) {
      this.response.writeHead(204).end();
      return;
    }
    const stream = this.#openStream();
    // On a stream each answer of a batch is an event of its own.
    const messages = payload === undefined || Array.isArray(payload) ? (payload ?? []) : [payload];
    for (const message of messages as readonly object[]) stream.send(message);
    stream.end();
  }

  /** The stream keeps itself alive with comments; this reply then only adds progress. */
  #openStream(): EventStream {
    return (this.#stream ??= new EventStream(this.response, this.heartbeat));
  }

  #leave(): void {
    this.#isDone = true;
    this.heartbeat.remove(this);
  }
}
