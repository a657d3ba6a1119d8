import type { TestMessage } from '../../common/dsl/index.js';
import { listenAddress } from '../../components/http-server/address.js';
import type { Subject } from './drive.js';
import type { MemoryReply } from './memory-network.js';
import { failureOf, type Outcome } from './outcome.js';
import type { Stage } from './stage.js';

/**
 * A request through the real HTTP server, decoder, guards and encoder, joined in memory. What a reserved header, a key
 * or a content type does here it does on the network.
 */
export async function driveHttp(
  message: TestMessage,
  subject: Subject,
  stage: Stage,
): Promise<Omit<Outcome, 'elapsedMs'>> {
  const { trigger, id } = subject;
  const { host, port, pattern } = listenAddress(
    trigger,
    String(trigger.options.get('match-prefix')) === 'true',
  );
  stage.exchanges.delete(id);
  const headers = textHeaders(message.headers);
  const reply = await stage.network.send({
    host,
    port,
    method: message.method ?? firstMethod(subject),
    target: pathOf(pattern.text, message) + queryOf(message.query),
    headers,
    body: bodyText(message.body, headers),
  });
  const exchange = stage.exchanges.get(id);
  const body = decode(reply);
  return {
    status: reply.status,
    body,
    headers: { ...reply.headers },
    failure: (exchange && failureOf(exchange)) ?? problemOf(reply, body),
    properties: exchange ? Object.fromEntries(exchange.properties) : {},
  };
}

function textHeaders(given: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** Adds the content type that belongs to the body, where the test gives none. */
function bodyText(body: unknown, headers: Record<string, string>): string | null {
  if (body === undefined) return null;
  headers['content-type'] ??= typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  headers['content-length'] = String(Buffer.byteLength(text));
  return text;
}

function firstMethod({ trigger, hasInputSchema }: Subject): string {
  const written = trigger.options.get('method');
  const first = Array.isArray(written) ? (written as readonly unknown[])[0] : written;
  if (typeof first === 'string' && first.trim() !== '')
    return (first.split(',')[0] ?? '').trim().toUpperCase();
  return hasInputSchema ? 'POST' : 'GET';
}

/** The path with its `{names}` filled in. */
function pathOf(pattern: string, { path }: TestMessage): string {
  if (typeof path === 'string') return path.startsWith('/') ? path : `/${path}`;
  const values = path ?? {};
  return pattern.replace(/\{([^}]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(String(values[name])) : whole,
  );
}

function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map(
      (one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`,
    ),
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** JSON as data, text as text, nothing as null, all else as bytes. */
function decode({ headers, body }: MemoryReply): unknown {
  if (body.length === 0) return null;
  const type = (headers['content-type'] ?? '').toLowerCase();
  if (/^application\/([^;]*\+)?json\b/.test(type)) return JSON.parse(body.toString('utf8')) as unknown;
  return /^text\/|xml|yaml|csv|javascript|urlencoded/.test(type) ? body.toString('utf8') : body;
}

/** A refusal before the first step: the reply says why. */
function problemOf({ status }: MemoryReply, body: unknown): Outcome['failure'] {
  if (status < 400) return null;
  const { code, detail } = (typeof body === 'object' && body !== null ? body : {}) as {
    code?: unknown;
    detail?: unknown;
  };
  return {
    code: typeof code === 'string' ? code : `HTTP ${status}`,
    message: typeof detail === 'string' ? detail : '',
    step: null,
  };
}
