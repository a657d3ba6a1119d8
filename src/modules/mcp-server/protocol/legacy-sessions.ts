import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Log } from '../../../common/engine/api/ports.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import { principalOf } from '../../../components/mcp-server/principal.js';
import { Conversation } from './conversation.js';
import { legacyMethods, type ServedTools } from './methods.js';
import { assumedLegacy } from './revisions.js';

export interface SessionCaps {
  readonly total: number;
  readonly perPrincipal: number;
  /** Milliseconds without a request and without an open stream after which a session ends. */
  readonly idleMs: number;
}

export const sessionCaps: SessionCaps = { total: 20_000, perPrincipal: 10_000, idleMs: 30 * 60_000 };

/** A stream the server may send on of its own accord. */
export interface ListeningStream {
  readonly response: ServerResponse;
  send(message: object): void;
  end(): void;
}

export interface LegacySession {
  readonly id: string;
  readonly principal: string;
  readonly conversation: Conversation;
  lastSeen: number;
  stream: ListeningStream | null;
  /** Answers whose stream was closed before they were there, by the id of its events. */
  readonly parked: Map<string, ParkedReply>;
}

/** An answer that its client comes back for. */
export interface ParkedReply {
  resume(response: ServerResponse): void;
}

/** The sessions of the legacy era, each bound to whoever opened it. */
export class LegacySessions {
  readonly #sessions = new Map<string, LegacySession>();
  readonly #perPrincipal = new Map<string, number>();
  #sweeper: NodeJS.Timeout | null = null;
  /** Counts the changes of the lists: the id of an event, so that who comes back learns of what it missed. */
  generation = 0;

  constructor(
    private readonly log: Log,
    private readonly caps: SessionCaps = sessionCaps,
  ) {}

  get size(): number {
    return this.#sessions.size;
  }

  /** Null where the caps allow no further session. */
  open(caller: Caller, served: ServedTools): LegacySession | null {
    const principal = principalOf(caller);
    const own = this.#perPrincipal.get(principal) ?? 0;
    if (this.#sessions.size >= this.caps.total || own >= this.caps.perPrincipal) return null;
    const session: LegacySession = {
      id: randomBytes(24).toString('base64url'),
      principal,
      conversation: new Conversation(served, legacyMethods, assumedLegacy, this.log),
      lastSeen: Date.now(),
      stream: null,
      parked: new Map(),
    };
    this.#sessions.set(session.id, session);
    this.#perPrincipal.set(principal, own + 1);
    this.#sweeper ??= setInterval(() => this.sweep(), Math.min(60_000, this.caps.idleMs)).unref();
    return session;
  }

  /** The caller's session. A session of somebody else is none, so that ids tell nothing. */
  find(id: string, caller: Caller): LegacySession | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.principal !== principalOf(caller)) return undefined;
    session.lastSeen = Date.now();
    return session;
  }

  end(session: LegacySession): void {
    if (!this.#sessions.delete(session.id)) return;
    const left = (this.#perPrincipal.get(session.principal) ?? 1) - 1;
    if (left > 0) this.#perPrincipal.set(session.principal, left);
    else this.#perPrincipal.delete(session.principal);
    session.conversation.close();
    session.parked.clear();
    session.stream?.end();
    session.stream = null;
    if (this.#sessions.size > 0 || this.#sweeper === null) return;
    clearInterval(this.#sweeper);
    this.#sweeper = null;
  }

  /** Tells all of a change of a list. */
  broadcast(message: object): void {
    this.generation++;
    for (const { stream } of this.#sessions.values()) stream?.send(message);
  }

  /** Tells those who watch the resource. */
  tellOfUpdate(uri: string, message: object): void {
    for (const { stream, conversation } of this.#sessions.values())
      if (conversation.facts.subscriptions?.has(uri)) stream?.send(message);
  }

  /** The streams that are open now. */
  streams(): readonly ServerResponse[] {
    return [...this.#sessions.values()].flatMap(({ stream }) => stream?.response ?? []);
  }

  endStreams(): void {
    for (const { stream } of this.#sessions.values()) stream?.end();
  }

  /** Ends what has been idle for too long. */
  sweep(now = Date.now()): void {
    for (const session of this.#sessions.values()) {
      const isBusy = session.stream !== null || session.conversation.inFlight > 0;
      if (isBusy) session.lastSeen = now;
      else if (now - session.lastSeen >= this.caps.idleMs) this.end(session);
    }
  }

  close(): void {
    for (const session of this.#sessions.values()) this.end(session);
  }
}
