export type CatalogueCredential = string | { readonly username: string; readonly password: string };

/** Where tools of the catalogue come from, besides the workspace's own. */
export type CatalogueSource = OpenApiSource | McpSource;

/** A foreign API whose operations are tools. */
export interface OpenApiSource {
  readonly kind: 'openapi';
  readonly name: string;
  /** The document: an absolute path, or an http(s) address. */
  readonly openapi: string;
  readonly server: string | null;
  /** By the name of a security scheme. They are secrets. */
  readonly auth: Readonly<Record<string, CatalogueCredential>>;
  /** By lower-case name; they may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** An MCP server whose tools are tools of the catalogue. */
export interface McpSource {
  readonly kind: 'mcp';
  readonly name: string;
  readonly server: McpServerAddress;
  /** Each workspace calls with a token of its own. */
  readonly ownConnections: boolean;
  readonly era: 'auto' | 'modern' | 'legacy';
  readonly prefix: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly refreshMs: number;
  readonly pin: 'off' | 'warn' | 'block';
  readonly redispatch: 'hints' | 'never' | 'with_upstream_key';
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  readonly maxMessageBytes: number;
}

export type McpServerAddress =
  | {
      readonly transport: 'http' | 'sse';
      readonly url: string;
      /** They may hold secrets. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** They may hold secrets. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | null;
    };
