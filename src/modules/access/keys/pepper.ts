import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '../../../common/platform/crypto/keyring.js';

/**
 * Digests of credentials: HMAC-SHA-256 under a key the database does not hold, so that a stolen table proves nothing.
 * A credential has 190 random bits, so a slow hash would add nothing.
 */
@Injectable()
export class Pepper {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  constructor(keyring: Keyring) {
    this.#keys = keyring.subKeys('api-key-pepper');
  }

  /** With the active key of the ring: for what is stored. */
  digest(credential: string): Buffer {
    return digestWith(this.#keys[0], credential);
  }

  /** With every key of the ring: credentials outlive the rotation of the ring. */
  digests(credential: string): Buffer[] {
    return this.#keys.map((key) => digestWith(key, credential));
  }
}

function digestWith(key: Buffer, credential: string): Buffer {
  return createHmac('sha256', key).update(credential).digest();
}
