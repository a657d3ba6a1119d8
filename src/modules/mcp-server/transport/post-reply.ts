import type { ServerResponse } from 'node:http';
import { notification } from '../protocol/json-rpc.js';
import { EventStream } from './event-stream.js';
import type { Beating, Heartbeat } from './heartbeat.js';
import { sendJson } from './send.js';

export interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
}

/** A reply whose stream is closed after a while, so that the client asks for the rest (MCP 2025-11-25, "Resumability"). */
export interface Polled {
  /** Milliseconds a stream stays open before the answer is there. */
  readonly afterMs: number;
  /** The id of the events, unguessable: who names it gets the rest. */
  readonly id: string;
  onParked(): void;
}

/** Milliseconds a client has to come back for an answer. */
const resumeWithinMs = 60_000;
/** Milliseconds a client is asked to wait before it comes back. */
const retryMs = 500;

/**
 * The answer to a POST: JSON while it comes quickly, an event stream once it takes so long that the connection must show
 * life. To ask for progress (`progressToken`) is to be told that the work goes on.
 */
export class PostReply implements Beating {
  #stream: EventStream | null = null;
  #isDone = false;
  #beats = 0;
  #tellsProgress = false;
  /** What came while no stream was open to carry it; null while one is, or may be opened. */
  #parked: object[] | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private response: ServerResponse,
    private readonly accepted: Accepted,
    private readonly heartbeat: Heartbeat,
    private readonly progressToken: string | number | null,
    /** Called once if the peer leaves before it has its answer. */
    private readonly onGone: () => void,
    private readonly polled: Polled | null = null,
  ) {
    this.#follow(response);
    if (polled !== null && accepted.stream)
      this.#timer = setTimeout(() => this.#park(polled), polled.afterMs).unref();
  }

  /** Sends a message ahead of the answer; lost where the client takes no stream. */
  notify(message: object): void {
    if (this.#isDone) return;
    this.#tellsProgress ||= (message as { method?: unknown }).method === 'notifications/progress';
    if (this.#parked !== null) this.#parked.push(message);
    else if (this.accepted.stream) this.#openStream().send(message);
  }

  /** The client is back: what has come meanwhile goes on this response, and so does the rest. */
  resume(response: ServerResponse): void {
    clearTimeout(this.#timer);
    const parked = this.#parked ?? [];
    this.#parked = null;
    this.response = response;
    this.#follow(response);
    const stream = this.#openStream();
    for (const message of parked) stream.send(message);
    if (this.#isDone) stream.end();
  }

  #follow(response: ServerResponse): void {
    this.heartbeat.add(this);
    response.once('close', () => {
      if (response !== this.response || this.#parked !== null) return;
      this.#leave();
      if (!response.writableFinished) this.onGone();
    });
  }

  #park(polled: Polled): void {
    if (this.#isDone) return;
    const stream = this.#openStream();
    this.#parked = [];
    this.#stream = null;
    this.heartbeat.remove(this);
    stream.end();
    polled.onParked();
    this.#timer = setTimeout(() => {
      this.#isDone = true;
      this.onGone();
    }, resumeWithinMs).unref();
  }

  beat(): void {
    if (this.#isDone || this.#parked !== null || !this.accepted.stream) return;
    if (this.#stream === null) this.#openStream().beat();
    this.#beats++;
    // The numbers of a workflow that counts itself must not be mixed with ours.
    if (this.progressToken === null || this.#tellsProgress) return;
    const progress = { progressToken: this.progressToken, progress: this.#beats, message: 'still running' };
    this.#stream?.send(notification('notifications/progress', progress));
  }

  /** `payload` undefined: nothing is owed, since the request was cancelled. */
  finish(status: number, payload: object | undefined): void {
    if (this.#isDone) return;
    if (this.#parked !== null) {
      this.#isDone = true;
      if (payload !== undefined) this.#parked.push(payload);
      return;
    }
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
    if (this.#stream === null) {
      this.#stream = new EventStream(this.response, this.heartbeat);
      if (this.polled !== null) this.#stream.sendText('', { id: this.polled.id, retryMs });
    }
    return this.#stream;
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#isDone = true;
    this.heartbeat.remove(this);
  }
}
