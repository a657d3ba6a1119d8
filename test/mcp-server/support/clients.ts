import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const about = { name: 'story', version: '1' };

/** What the stories ask of a client, whichever SDK and era it is of. */
export interface RealClient {
  tools(): Promise<readonly { readonly name: string; readonly inputSchema: object }[]>;
  call(
    name: string,
    args: Record<string, unknown>,
    options?: { readonly signal?: AbortSignal; readonly meta?: Record<string, unknown> },
  ): Promise<{ readonly text: string; readonly isError: boolean; readonly structured: unknown }>;
  resource(uri: string): Promise<string>;
  serverName(): string | undefined;
  onToolsChanged(listener: () => void): Promise<void>;
  close(): Promise<void>;
}

export type Connect = (url: URL, headers?: Record<string, string>) => Promise<RealClient>;

interface Contents {
  readonly contents: readonly object[];
}

const textOf = ({ contents }: Contents): string => String((contents[0] as { text?: unknown }).text);

const shown = (result: object): { text: string; isError: boolean; structured: unknown } => {
  const { content, isError, structuredContent } = result as {
    content: { text: string }[];
    isError?: boolean;
    structuredContent?: unknown;
  };
  return { text: content[0]?.text ?? '', isError: isError === true, structured: structuredContent };
};

const viaV1: Connect = async (url, headers = {}) => {
  let changed: (() => void) | undefined;
  const client = new ClientV1(about, {
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed?.() } },
  });
  const transport = new HttpV1(url, { requestInit: { headers } });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, { signal, meta } = {}) =>
      shown(
        await client.callTool(
          { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
          undefined,
          signal ? { signal } : {},
        ),
      ),
    resource: async (uri) => textOf(await client.readResource({ uri })),
    serverName: () => client.getServerVersion()?.name,
    onToolsChanged: async (listener) => void (changed = listener),
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
};

const viaV2 =
  (mode: 'legacy' | 'auto' | { pin: string }): Connect =>
  async (url, headers = {}) => {
    let changed: (() => void) | undefined;
    const client = new ClientV2(about, {
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed?.() } },
    });
    await client.connect(new HttpV2(url, { requestInit: { headers } }));
    return {
      tools: async () => (await client.listTools()).tools,
      call: async (name, args, { signal, meta } = {}) =>
        shown(
          await client.callTool(
            { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
            signal ? { signal } : {},
          ),
        ),
      resource: async (uri) => textOf(await client.readResource({ uri })),
      serverName: () => client.getServerVersion()?.name,
      onToolsChanged: async (listener) => void (changed = listener),
      close: () => client.close(),
    };
  };

/** Real clients in both eras of the protocol. */
export const realClients: readonly (readonly [string, Connect])[] = [
  ['SDK 1, legacy', viaV1],
  ['SDK 2, legacy', viaV2('legacy')],
  ['SDK 2, modern', viaV2({ pin: '2026-07-28' })],
  ['SDK 2, whichever it finds', viaV2('auto')],
];
