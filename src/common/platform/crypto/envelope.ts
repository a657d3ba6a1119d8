import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HelixError } from '../../engine/errors/helix-error.js';
import { Secret } from '../logging/secret.js';
import { seal, unseal } from './aead.js';
import { canonicalJson } from './canonical-json.js';
import { Keyring } from './keyring.js';

/** Where a secret belongs, in words that never change: it opens nowhere else. */
export type SealContext = readonly (string | null)[];

const form = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/**
 * Encrypts stored secrets, each under a random data key of its own that the keyring wraps.
 * Text: `v1.<kekId>.<wrapped data key>.<nonce, ciphertext and tag>`, base64url.
 *
 * ```ts
 * const place = ['helix.tool_connection.v1', workspaceId, connectionId, provider, organizationId];
 * row.sealed = await this.envelope.seal(token, place);
 * const token = await this.envelope.open(row.sealed, place);   // a Secret
 * ```
 */
@Injectable()
export class Envelope {
  readonly #keys: Keyring;

  constructor(keys: Keyring) {
    this.#keys = keys;
  }

  async seal(secret: Secret | string, place: SealContext): Promise<string> {
    const context = bytesOf(place);
    const dataKey = randomBytes(32);
    const wrapped = await this.#keys.wrap(dataKey, context);
    const plain = Buffer.from(secret instanceof Secret ? secret.reveal() : secret);
    return write(wrapped.kekId, wrapped.bytes, seal(dataKey, plain, context));
  }

  /** @throws HelixError `PLATFORM.SECRET_UNREADABLE` where the key is missing, or the text or its place was changed */
  async open(sealed: string, place: SealContext): Promise<Secret> {
    const { kekId, wrapped, content } = read(sealed);
    const context = bytesOf(place);
    const dataKey = await this.#keys.unwrap({ kekId, bytes: wrapped }, context);
    try {
      return new Secret(unseal(dataKey, content, context).toString());
    } catch (cause) {
      throw new HelixError('PLATFORM.SECRET_UNREADABLE', 'A stored secret was changed.', { cause });
    }
  }

  /**
   * The same secret with its data key wrapped by the active key; undefined where it is so already. What was encrypted
   * is not touched, so rotation is cheap and may run row by row.
   */
  async rewrap(sealed: string, place: SealContext): Promise<string | undefined> {
    const { kekId, wrapped, content } = read(sealed);
    if (kekId === this.#keys.activeId) return undefined;
    const context = bytesOf(place);
    const dataKey = await this.#keys.unwrap({ kekId, bytes: wrapped }, context);
    const renewed = await this.#keys.wrap(dataKey, context);
    return write(renewed.kekId, renewed.bytes, content);
  }

  /** Id of the key that wraps this secret, for `secrets status`. */
  kekIdOf(sealed: string): string {
    return read(sealed).kekId;
  }
}

function bytesOf(place: SealContext): Buffer {
  return Buffer.from(canonicalJson(place));
}

function write(kekId: string, wrapped: Buffer, content: Buffer): string {
  return `v1.${kekId}.${wrapped.toString('base64url')}.${content.toString('base64url')}`;
}

function read(sealed: string): { kekId: string; wrapped: Buffer; content: Buffer } {
  const [, kekId, wrapped, content] = form.exec(sealed) ?? [];
  if (kekId === undefined || wrapped === undefined || content === undefined)
    throw new HelixError(
      'PLATFORM.SECRET_UNREADABLE',
      'A stored secret is not in a form this version knows.',
    );
  return { kekId, wrapped: Buffer.from(wrapped, 'base64url'), content: Buffer.from(content, 'base64url') };
}
