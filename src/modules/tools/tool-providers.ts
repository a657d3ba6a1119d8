import { Injectable } from '@nestjs/common';
import type { CatalogueSource } from '../../common/dsl/index.js';
import { GuardedHttpCaller } from '../../common/platform/egress/index.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { NativeProvider } from './providers/native.provider.js';
import { OpenApiProvider } from './providers/openapi/openapi.provider.js';
import { TregProvider } from './providers/treg/treg.provider.js';
import type { ToolProvider } from './tool-provider.js';
import { ToolShelf } from './tool-shelf.js';

/** Where tools come from, the deployment's own first. A new provider is added to this list and nowhere else. */
@Injectable()
export class ToolProviders {
  /** Those that every workspace has; sources of the workspace file come after them. */
  readonly fixed: ToolProvider[];
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

  /** One for each source of the workspace; one that a reload left as it was keeps what it has read. */
  #sources(): ReadonlyMap<string, ToolProvider> {
    const sources = this.shelf.sources();
    if (sources === this.#imported.of) return this.#imported.providers;
    const kept = this.#imported.providers;
    const providers = new Map(
      sources.map((source) => {
        const written = JSON.stringify(source);
        return [written, kept.get(written) ?? new OpenApiProvider(source, this.http, this.log)] as const;
      }),
    );
    this.#imported = { of: sources, providers };
    return providers;
  }

  /** `<provider>:<upstream id>` belongs to that provider, an id without a colon to the native one. */
  ownerOf(toolId: string): ToolProvider | undefined {
    const end = toolId.lastIndexOf(':');
    if (end < 0) return this.find('helix');
    return this.all.find(({ id }) => toolId.startsWith(`${id}:`));
  }
}
