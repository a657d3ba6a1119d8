import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { GuardedHttpCaller, type HttpReply } from '../../common/platform/egress/index.js';
import {
  readEndpoint,
  readLedger,
  readMatches,
  type TregEndpoint,
  type TregLedger,
  type TregMatches,
} from './treg-wire.js';

/** A token of Treg, and the team it acts in; `''` where the token carries its team. */
export interface TregCredential {
  readonly token: string;
  readonly organizationId: string;
}

export type TregReply = HttpReply;

export interface TregCall {
  readonly endpointId: string;
  readonly method: string;
  readonly query: URLSearchParams;
  /** JSON text; null for none. */
  readonly body: string | null;
  /** Equal keys run once, where Treg meters the call. */
  readonly idempotencyKey: string;
  /** Largest body that is read, in bytes. */
  readonly maxBytes: number;
}

/** Largest answer about the catalogue or the ledger. */
const catalogueBytes = 8 * 1024 * 1024;
/** A reference that no call has: asking for it costs nothing and tells whether the credential is taken. */
const nobodysCall = 'helix-connection-check';

/**
 * The wire of Treg (its public API reference). Every method throws HelixError `HTTP.TARGET_UNREACHABLE`, with
 * `details.unsent` where nothing left this machine, `HTTP.TARGET_REFUSED` by the egress guard, and
 * `HTTP.UNREADABLE_REPLY`.
 */
@Injectable()
export class TregClient {
  constructor(
    private readonly config: HelixConfig,
    private readonly http: GuardedHttpCaller,
  ) {}

  /** The catalogue is open: no credential is sent. */
  async search(text: string, limit: number, signal: AbortSignal): Promise<TregMatches> {
    const query = new URLSearchParams({ q: text, limit: String(limit) });
    const reply = await this.#get(`/catalog/search?${query.toString()}`, null, signal);
    return readMatches(this.#json(reply));
  }

  /** @returns null where the catalogue has no such endpoint */
  async endpoint(id: string, signal: AbortSignal): Promise<TregEndpoint | null> {
    const reply = await this.#get(`/catalog/endpoints/${encodeURIComponent(id)}`, null, signal);
    return reply.status === 404 ? null : readEndpoint(this.#json(reply));
  }

  /** The answer is the tool's own, or Treg's refusal; whose it is, its headers tell. */
  call(call: TregCall, credential: TregCredential, signal: AbortSignal): Promise<TregReply> {
    const query = call.query.size > 0 ? `?${call.query.toString()}` : '';
    return this.http.call({
      url: this.#url(`/call/${encodeURIComponent(call.endpointId)}${query}`),
      method: call.method,
      headers: {
        ...headersOf(credential),
        'idempotency-key': call.idempotencyKey,
        'x-treg-meta': `helix_call=${call.idempotencyKey}`,
        ...(call.body === null ? {} : { 'content-type': 'application/json' }),
      },
      body: call.body === null ? null : Buffer.from(call.body),
      maxBytes: call.maxBytes,
      signal,
    });
  }

  /** What Treg booked for a call. */
  async ledger(reference: string, credential: TregCredential, signal: AbortSignal): Promise<TregLedger> {
    const reply = await this.#get(`/calls/${encodeURIComponent(reference)}`, credential, signal);
    return readLedger(this.#json(reply));
  }

  /** Whether Treg takes the credential; nothing is run and nothing paid. */
  async verify(
    credential: TregCredential,
    signal: AbortSignal,
  ): Promise<'verified' | 'rejected' | 'unreachable'> {
    try {
      const { status } = await this.#get(`/calls/${nobodysCall}`, credential, signal);
      if (status === 400 || status === 401 || status === 403) return 'rejected';
      return status === 200 || status === 404 ? 'verified' : 'unreachable';
    } catch {
      return 'unreachable';
    }
  }

  #get(path: string, credential: TregCredential | null, signal: AbortSignal): Promise<TregReply> {
    return this.http.call({
      url: this.#url(path),
      method: 'GET',
      headers: { accept: 'application/json', ...(credential === null ? {} : headersOf(credential)) },
      body: null,
      maxBytes: catalogueBytes,
      signal,
    });
  }

  #url(path: string): URL {
    return new URL(`${this.config.tregUrl}${path}`);
  }

  #json({ status, body }: TregReply): unknown {
    if (status !== 200) throw new HelixError('HTTP.TARGET_FAILED', `Treg answered ${status}.`);
    try {
      return JSON.parse(Buffer.from(body).toString()) as unknown;
    } catch (cause) {
      throw new HelixError('HTTP.UNREADABLE_REPLY', 'Treg answered with something that is not JSON.', {
        cause,
      });
    }
  }
}

function headersOf({ token, organizationId }: TregCredential): Record<string, string> {
  return { 'x-treg-token': token, ...(organizationId === '' ? {} : { 'x-treg-org': organizationId }) };
}
