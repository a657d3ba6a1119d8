import type { CatalogueTool } from '../../tool-descriptor.js';

/** A free tool that reads. */
export function toolNamed(id: string, description: string, fields: readonly string[] = []): CatalogueTool {
  return {
    id,
    provider: 'helix',
    origin: 'native',
    name: id,
    summary: description,
    description,
    inputSchema: { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, {}])) },
    outputSchema: null,
    policy: {
      timeoutMs: 1,
      maxResultBytes: 1,
      sideEffects: 'read',
      redispatch: 'safe',
      requiresProject: false,
    },
    pricing: { model: 'free', micros: null, estimateMicros: 0, note: null, accountingService: 'helix' },
    status: 'available',
    statusNote: null,
    docsUrl: null,
  };
}
