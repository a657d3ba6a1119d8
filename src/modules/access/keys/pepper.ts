import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '../../../common/platform/crypto/keyring.js';

export interface Digest {
  /** Key of the ring it was made with. */
  readonly keyId: string;
  readonly bytes: Buffer;
}

/**
 * Digests of credentials: HMAC-SHA-256 under a key the database does not hold, so that a stolen table proves nothing.
 * A credential has 190 random bits, so a slow hash would add nothing.
 */
@Injectable()
export class Pepper {
  readonly #keys: readonly (readonly [id: string, key: Buffer])[];

  constructor(keyring: Keyring) {
    const { ids } = keyring;
    this.#keys = keyring.subKeys('api-key-pepper').map((key, nth) => [ids[nth] ?? '', key]);
  }

  /** With the active key of the ring: for what is stored. */
  digest(credential: string): Digest {
    const [digest] = this.digests(credential);
    if (digest === undefined) throw new Error('A keyring holds at least one key.');
    return digest;
  }

  /** With every key of the ring, the active one first: credentials outlive the rotation of the ring. */
  digests(credential: string): Digest[] {
    return this.#keys.map(([keyId, key]) => ({
      keyId,
      bytes: createHmac('sha256', key).update(credential).digest(),
    }));
  }
}
