import { HelixError } from '../../common/engine/errors/helix-error.js';

export interface ListenAddress {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Where the endpoint stands, `''` where the URI names no path. */
  readonly path: string;
}

/**
 * `host:port`, `[v6]:port` or `:port` (all interfaces), with a path or without.
 * @throws HelixError `WORKSPACE.INVALID`
 */
export function readListenAddress(text: string): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:/[\]]*)):(\d{1,5})(\/.*)?$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new HelixError(
      'WORKSPACE.INVALID',
      `mcp-server://${text} names no address to listen on: write mcp-server://host:port, or mcp-server://stdio.`,
    );
  }
  return {
    host: match[1] ?? (match[2] || '0.0.0.0'),
    port,
    path: (match[4] ?? '').replace(/\/+$/, ''),
  };
}
