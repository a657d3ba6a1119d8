import { isRecord } from '../../../common/engine/model/is-record.js';
import { createHash, randomBytes } from 'node:crypto';
import { seal, unseal } from '../../../common/platform/crypto/aead.js';
import { canonicalJson } from '../../../common/platform/crypto/canonical-json.js';
import { RpcError, rpcCodes } from './json-rpc.js';

/** How long a person may take to answer, in milliseconds. */
const lifeMs = 3_600_000;
const context = Buffer.from('helix mcp request state 1');

/** What a state belongs to: it is worth nothing with another caller, or for another request. */
export interface StateOwner {
  readonly principal: string;
  readonly method: string;
  /** The params that make the request, without `_meta` and what the retry adds. */
  readonly params: unknown;
}

/**
 * `requestState` of the multi-round-trip answer: the answers given so far, encrypted and authenticated, so that the server
 * keeps nothing between the rounds and any node with the key can go on.
 */
export class RequestStates {
  constructor(
    /** 32 bytes each; the first seals, any opens. */
    private readonly keys: readonly [Buffer, ...Buffer[]] = [randomBytes(32)],
    private readonly now: () => number = Date.now,
  ) {}

  seal(owner: StateOwner, answers: Readonly<Record<string, unknown>>): string {
    const state = { of: digestOf(owner), until: this.now() + lifeMs, answers };
    return seal(this.keys[0], Buffer.from(JSON.stringify(state)), context).toString('base64url');
  }

  /** The answers of earlier rounds. @throws RpcError invalid params for a state that is not ours, or no longer */
  open(owner: StateOwner, state: unknown): Readonly<Record<string, unknown>> {
    if (state === undefined) return {};
    const opened = typeof state === 'string' ? this.#unseal(state) : undefined;
    if (isRecord(opened) && opened['of'] === digestOf(owner) && isRecord(opened['answers'])) {
      if (Number(opened['until']) > this.now()) return opened['answers'];
      throw new RpcError(
        rpcCodes.invalidParams,
        '"requestState" is too old: send the request anew without it.',
      );
    }
    throw new RpcError(
      rpcCodes.invalidParams,
      '"requestState" must be sent back as it was received, with the same request.',
    );
  }

  #unseal(state: string): unknown {
    const bytes = Buffer.from(state, 'base64url');
    if (bytes.toString('base64url') !== state) return undefined;
    for (const key of this.keys) {
      try {
        return JSON.parse(unseal(key, bytes, context).toString()) as unknown;
      } catch {
        // Another key, or nobody's.
      }
    }
    return undefined;
  }
}

function digestOf({ principal, method, params }: StateOwner): string {
  return createHash('sha256')
    .update(canonicalJson([principal, method, params]))
    .digest('base64url');
}
