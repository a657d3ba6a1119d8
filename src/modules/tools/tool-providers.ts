import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { CatalogueSource } from '../../common/dsl/index.js';
import { GuardedHttpCaller } from '../../common/platform/egress/index.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { ForeignSchemaValidator } from '../../common/platform/schema/foreign-schema-validator.js';
import { ConnectionsService } from '../connections/index.js';
import { SdkMcpCaller } from '../mcp-client/index.js';
import { McpProvider } from './providers/mcp/mcp.provider.js';
import { NativeProvider } from './providers/native.provider.js';
import { OpenApiProvider } from './providers/openapi/openapi.provider.js';
import { TregProvider } from './providers/treg/treg.provider.js';
import type { ToolProvider } from './tool-provider.js';
import { ToolShelf } from './tool-shelf.js';

/** Where tools come from, the deployment's own first. A new provider is added to this list and nowhere else. */
@Injectable()
export class ToolProviders implements OnApplicationShutdown {
  /** Those that every workspace has; sources of the workspace file come after them. */
  readonly fixed: ToolProvider[];
  readonly #validator = new ForeignSchemaValidator();
  readonly #listeners = new Set<() => void>();
  #imported: {
    readonly of: readonly CatalogueSource[];
    readonly providers: ReadonlyMap<string, ToolProvider>;
  } = {
    of: [],
    providers: new Map(),
  };

  constructor(
    native: NativeProvider,
    treg: TregProvider,
    private readonly shelf: ToolShelf,
    private readonly http: GuardedHttpCaller,
    private readonly mcp: SdkMcpCaller,
    private readonly connections: ConnectionsService,
    private readonly log: HelixLog,
  ) {
    this.fixed = [native, treg];
  }

  get all(): readonly ToolProvider[] {
    return [...this.fixed, ...this.#sources().values()];
  }

  find(id: string): ToolProvider | undefined {
    return this.all.find((provider) => provider.id === id);
  }

  /** `<provider>:<upstream id>` belongs to that provider, an id without a colon to the native one. */
  ownerOf(toolId: string): ToolProvider | undefined {
    if (!toolId.includes(':')) return this.find('helix');
    return this.all.find(({ id }) => toolId.startsWith(`${id}:`));
  }

  /** Told when tools of any provider may have changed. @returns how to stop listening */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    const forget = this.shelf.onChange(listener);
    return () => {
      forget();
      this.#listeners.delete(listener);
    };
  }

  /** By then no call is under way any more. */
  async onApplicationShutdown(): Promise<void> {
    const { providers } = this.#imported;
    await Promise.all([...providers.values()].map((provider) => provider.close()));
  }

  /** One for each source of the workspace; one that a reload left as it was keeps what it has read. */
  #sources(): ReadonlyMap<string, ToolProvider> {
    const sources = this.shelf.sources();
    if (sources === this.#imported.of) return this.#imported.providers;
    const kept = this.#imported.providers;
    const providers = new Map(
      sources.map((source) => {
        const written = JSON.stringify(source);
        return [written, kept.get(written) ?? this.#providerOf(source)] as const;
      }),
    );
    this.#imported = { of: sources, providers };
    for (const [written, provider] of kept) if (!providers.has(written)) void provider.close();
    return providers;
  }

  #providerOf(source: CatalogueSource): ToolProvider {
    const { http, log, connections, mcp: caller } = this;
    if (source.kind === 'openapi') return new OpenApiProvider(source, http, log);
    const provider = new McpProvider({ source, caller, connections, validator: this.#validator, log });
    provider.onChange(() => {
      for (const listener of this.#listeners) listener();
    });
    return provider;
  }
}
