import { Injectable } from '@nestjs/common';
import { NativeProvider } from './providers/native.provider.js';
import { TregProvider } from './providers/treg/treg.provider.js';
import type { ToolProvider } from './tool-provider.js';

/** Where tools come from, the deployment's own first. A new provider is added to this list and nowhere else. */
@Injectable()
export class ToolProviders {
  readonly all: readonly ToolProvider[];

  constructor(native: NativeProvider, treg: TregProvider) {
    this.all = [native, treg];
  }

  find(id: string): ToolProvider | undefined {
    return this.all.find((provider) => provider.id === id);
  }

  /** `<provider>:<upstream id>` belongs to that provider, an id without a colon to the native one. */
  ownerOf(toolId: string): ToolProvider | undefined {
    const end = toolId.lastIndexOf(':');
    if (end < 0) return this.find('helix');
    return this.all.find(({ id }) => toolId.startsWith(`${id}:`));
  }
}
