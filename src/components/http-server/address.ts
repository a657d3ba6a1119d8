import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import { parsePattern, type PathPattern } from './path-pattern.js';

/** Where a route listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly pattern: PathPattern;
}

/** @throws HelixError `WORKSPACE.INVALID` */
export function listenAddress(uri: EndpointUri, matchPrefix: boolean): ListenAddress {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^/:[\]]+):(\d{1,5})(\/.*)?$/.exec(uri.path);
  const port = Number(match?.[2]);
  if (!match || port > 65_535) {
    throw new HelixError(
      'WORKSPACE.INVALID',
      `"${uri.scheme}://${uri.path}" names no address to listen on: write http-server://host:port/path, e.g. http-server://127.0.0.1:8080/orders/{id}.`,
    );
  }
  const host = (match[1] ?? '').replace(/^\[|\]$/g, '');
  return { host, port, pattern: parsePattern(match[3] ?? '/', matchPrefix) };
}
