import { isRecord } from '../../../common/engine/model/is-record.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../../common/engine/api/ports.js';
import type { ServedTools } from '../protocol/methods.js';
import type { Admission } from '../security/door.js';
import type { Heartbeat } from './heartbeat.js';
import type { Accepted } from './post-reply.js';
import { isId, type Params } from '../protocol/json-rpc.js';

/** One HTTP request that was let in. */
export interface HttpRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly admission: Admission;
  readonly accepted: Accepted;
}

/** What the eras share in serving HTTP. */
export interface HttpParts {
  readonly served: ServedTools;
  readonly log: Log;
  readonly heartbeat: Heartbeat;
  /** Milliseconds after which a client of 2025-11-25 is asked to come back for its answer; null: never. */
  readonly pollAfterMs: number | null;
}

/** The one value of a header. Node joins repeated ones with a comma, which equals nothing valid. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Which forms of answer the client takes (RFC 9110, section 12.5.1; weights are of no use with two forms). */
export function acceptedBy(request: IncomingMessage): Accepted {
  const { accept } = request.headers;
  if (accept === undefined) return { json: true, stream: false };
  const any = accept.includes('*/*');
  return {
    json: any || accept.includes('application/json') || accept.includes('application/*'),
    stream: accept.includes('text/event-stream') || accept.includes('text/*'),
  };
}

export function progressTokenOf(params: Params): string | number | null {
  const meta = params['_meta'];
  const token = isRecord(meta) ? meta['progressToken'] : undefined;
  return isId(token) ? token : null;
}
