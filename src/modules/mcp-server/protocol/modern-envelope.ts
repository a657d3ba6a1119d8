import { isRecord } from '../../../common/engine/model/is-record.js';
import { isLogLevel, type PeerFacts } from './peer.js';
import { failure, rpcCodes, type Params, type RequestId, type RpcFailure } from './json-rpc.js';
import { isModernRevision, modernRevisions, type ModernRevision } from './revisions.js';

const prefix = 'io.modelcontextprotocol/';
export const versionKey = `${prefix}protocolVersion`;
const capabilitiesKey = `${prefix}clientCapabilities`;
export const subscriptionKey = `${prefix}subscriptionId`;

/** Whether the params claim to speak for themselves, rightly or not. */
export function claimsEnvelope(params: Params): boolean {
  const meta = params['_meta'];
  return isRecord(meta) && Object.hasOwn(meta, versionKey);
}

/** The revision a request speaks, or why it cannot be taken (MCP 2026-07-28, the per-request envelope). */
export function readEnvelope(
  id: RequestId,
  params: Params,
  headerVersion: string | undefined | null,
): { readonly revision: ModernRevision; readonly facts: PeerFacts } | { readonly refusal: RpcFailure } {
  const meta = params['_meta'];
  const version = isRecord(meta) ? meta[versionKey] : undefined;
  if (!isRecord(meta) || typeof version !== 'string' || !isRecord(meta[capabilitiesKey])) {
    const message = `"params._meta" must hold "${versionKey}" (text) and "${capabilitiesKey}" (an object).`;
    return { refusal: failure(id, rpcCodes.invalidParams, message) };
  }
  // null: a transport without headers.
  if (headerVersion !== null && headerVersion !== version) {
    const message = `The header MCP-Protocol-Version must equal "_meta"'s protocolVersion.`;
    return { refusal: failure(id, rpcCodes.headerMismatch, message) };
  }
  if (isModernRevision(version)) {
    const capabilities = meta[capabilitiesKey];
    const level = meta[`${prefix}logLevel`];
    const facts = { capabilities, logLevel: isLogLevel(level) ? level : null, subscriptions: null };
    return { revision: version, facts };
  }
  const data = { supported: modernRevisions, requested: version.slice(0, 64) };
  return { refusal: failure(id, rpcCodes.unsupportedRevision, 'Unsupported protocol version.', data) };
}
