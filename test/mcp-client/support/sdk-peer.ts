import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as McpServer } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { closed, opened } from '../../support/leak-guard.js';

export interface Asked {
  readonly name: string;
  readonly args: Record<string, unknown>;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
  progress(): Promise<void>;
}
export type Tool = (asked: Asked) => CallToolResult | Promise<CallToolResult>;

export interface Peer {
  readonly address: string;
  readonly sessions: ReadonlySet<string>;
  /** Names and versions of the clients that connected. */
  readonly clients: readonly string[];
  readonly requests: readonly IncomingMessage[];
  /** As after a restart: the server knows none of its sessions. */
  forget(): void;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

/** A server of the official SDK: `echo` says its arguments, the others are the test's. */
export async function startPeer(
  tools: Record<string, Tool> = {},
  kind: 'http' | 'sse' = 'http',
): Promise<Peer> {
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const events = new Map<string, SSEServerTransport>();
  const sessions = new Set<string>();
  const clients: string[] = [];
  const requests: IncomingMessage[] = [];
  const known: Record<string, Tool> = { echo: ({ args }) => text(JSON.stringify(args)), ...tools };

  const serve = (): McpServer => {
    const server = new McpServer({ name: 'peer', version: '1' }, { capabilities: { tools: {} } });
    server.oninitialized = () => {
      const client = server.getClientVersion();
      clients.push(`${client?.name}/${client?.version}`);
    };
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const tool = known[params.name];
      if (!tool) throw new Error(`Unknown tool ${params.name}`);
      return await tool({
        name: params.name,
        args: params.arguments ?? {},
        signal: extra.signal,
        progress: () =>
          extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken: params._meta?.progressToken ?? 0, progress: 1 },
          }),
      });
    });
    return server;
  };

  const overStreamable = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const existing = typeof id === 'string' ? streamable.get(id) : undefined;
    if (typeof id === 'string' && !existing) return void response.writeHead(404).end();
    const transport =
      existing ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (made) => {
          streamable.set(made, transport);
          sessions.add(made);
        },
        onsessionclosed: (ended) => {
          streamable.delete(ended);
          sessions.delete(ended);
        },
      });
    if (!existing) await serve().connect(transport);
    await transport.handleRequest(request, response);
  };

  const overEvents = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      events.set(transport.sessionId, transport);
      sessions.add(transport.sessionId);
      response.once('close', () => sessions.delete(transport.sessionId));
      return serve().connect(transport);
    }
    const id = new URL(request.url ?? '', 'http://peer').searchParams.get('sessionId') ?? '';
    const transport = events.get(id);
    if (!transport) return void response.writeHead(404).end();
    return transport.handlePostMessage(request, response);
  };

  const server: Server = createServer((request, response) => {
    requests.push(request);
    (kind === 'sse' ? overEvents : overStreamable)(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  opened(`peer at ${address}`);
  return {
    address,
    sessions,
    clients,
    requests,
    forget: () => streamable.clear(),
    cut: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      closed(`peer at ${address}`);
    },
  };
}
