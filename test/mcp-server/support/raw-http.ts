import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  json(): { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Buffer;
}

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A request with no client's manners: any header, any body. Resolves when the answer is whole. */
export function send(
  url: URL,
  { method = 'POST', path = '/', headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port: url.port,
        method,
        path,
        headers: Object.fromEntries(all) as never,
        agent: false,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            json: () => JSON.parse(text) as ReturnType<RawAnswer['json']>,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const rpc = (method: string, params?: object, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export interface RawSession {
  readonly id: string;
  post(body: string | Buffer, headers?: RawRequest['headers']): Promise<RawAnswer>;
}

/** A legacy session, opened by hand. */
export async function openSession(
  url: URL,
  revision = '2025-11-25',
  headers: Readonly<Record<string, string>> = {},
): Promise<RawSession> {
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const answer = await send(url, { headers, body: rpc('initialize', params) });
  const id = String(answer.headers['mcp-session-id']);
  return {
    id,
    post: (body, more = {}) => send(url, { headers: { ...headers, 'mcp-session-id': id, ...more }, body }),
  };
}

const prefix = 'io.modelcontextprotocol/';

/** A request of the modern era with what it must carry. */
export function modern(method: string, params: Record<string, unknown> = {}, id: unknown = 1): RawRequest {
  const meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} };
  const own = params['_meta'] ?? {};
  const name = params['name'] ?? params['uri'];
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: rpc(method, { ...params, _meta: { ...meta, ...own } }, id),
  };
}
