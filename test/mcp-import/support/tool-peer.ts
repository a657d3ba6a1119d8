import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as McpServer } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import { closed, opened } from '../../support/leak-guard.js';

export interface PeerCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}
export type Answer = (call: PeerCall, peer: ToolPeer) => CallToolResult | Promise<CallToolResult>;

export const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

/** A definition as any server writes it. */
export function tool(name: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} }, ...more };
}

/** A server of the official SDK whose list of tools is whatever the story says, wrong ones included. */
export class ToolPeer {
  readonly calls: PeerCall[] = [];
  /** Requests of any kind, refused ones too. */
  requests = 0;
  /** One page of the list; a story replaces it. */
  list: (cursor: string | undefined, authorization: string | undefined) => unknown = () => ({
    tools: this.tools,
  });
  tools: unknown[] = [];
  answers: Record<string, Answer> = {};
  /** Whether it takes a request with these credentials. */
  admits: (authorization: string | undefined) => boolean = () => true;
  readonly #sessions = new Map<string, { transport: StreamableHTTPServerTransport; server: McpServer }>();
  readonly #events = new Map<string, SSEServerTransport>();
  #server: Server | undefined;
  #port = 0;

  /** @param kind `sse`: the transport of before 2025, two addresses instead of one */
  constructor(private readonly kind: 'http' | 'sse' = 'http') {}

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  /** Reserves the port, and listens on it. Started again after `stop`, it knows none of its sessions. */
  async start(): Promise<this> {
    if (this.#server) return this;
    const server = createServer((request, response) => {
      this.requests += 1;
      this.#serve(request, response).catch(() => response.destroy());
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    opened(this.url);
    return this;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    this.#sessions.clear();
    this.#events.clear();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    closed(this.url);
  }

  /** Tells every session that its tools are others now. */
  async tellChange(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.sendToolListChanged()));
  }

  /** Cuts every connection, as a crash does. */
  cut(): void {
    this.#server?.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.admits(request.headers.authorization)) return void response.writeHead(401).end();
    if (this.kind === 'sse') return this.#serveEvents(request, response);
    const id = request.headers['mcp-session-id'];
    const existing = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (typeof id === 'string' && !existing) return void response.writeHead(404).end();
    if (existing) return existing.transport.handleRequest(request, response);
    const server = this.#mcpServer();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (made) => void this.#sessions.set(made, { transport, server }),
      onsessionclosed: (ended) => void this.#sessions.delete(ended),
    });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  }

  async #serveEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      this.#events.set(transport.sessionId, transport);
      return this.#mcpServer().connect(transport);
    }
    const id = new URL(request.url ?? '', this.url).searchParams.get('sessionId') ?? '';
    const transport = this.#events.get(id);
    if (!transport) return void response.writeHead(404).end();
    return transport.handlePostMessage(request, response);
  }

  #mcpServer(): McpServer {
    const server = new McpServer(
      { name: 'peer', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.setRequestHandler(
      ListToolsRequestSchema,
      ({ params }, { requestInfo }) =>
        this.list(params?.cursor, requestInfo?.headers['authorization'] as string) as ListToolsResult,
    );
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestInfo }) => {
      const call = {
        name: params.name,
        args: params.arguments ?? {},
        meta: params._meta ?? {},
        headers: { ...requestInfo?.headers } as IncomingMessage['headers'],
      };
      this.calls.push(call);
      const answer = this.answers[params.name];
      return answer ? await answer(call, this) : text(JSON.stringify(call.args));
    });
    return server;
  }
}
