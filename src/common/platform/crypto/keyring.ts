import { createHmac, hkdfSync } from 'node:crypto';
import { HelixError } from '../../engine/errors/helix-error.js';
import type { KeyringEntry } from '../config/helix-config.js';
import { seal, unseal } from './aead.js';
import type { KeyProvider, WrappedKey } from './key-provider.js';

/** What sub-keys are derived for; each purpose has a key of its own, so none can stand in for another. */
export type KeyPurpose =
  'api-key-pepper' | 'cursor-mac' | 'session-secret' | 'data-key-wrap' | 'mcp-request-state';

/**
 * The keys of `HELIX_KEYRING`: the first encrypts, all decrypt. Sub-keys come from them by HKDF-SHA-256 (RFC 5869) with
 * the purpose as label.
 */
export class Keyring implements KeyProvider {
  readonly activeId: string;
  readonly #entries: ReadonlyMap<string, Buffer>;

  constructor(entries: readonly KeyringEntry[]) {
    const [active] = entries;
    if (active === undefined) throw new Error('A keyring holds at least one key.');
    this.activeId = active.id;
    this.#entries = new Map(entries.map(({ id, key }) => [id, key]));
  }

  /** Ids of all keys, the active one first. */
  get ids(): string[] {
    return [...this.#entries.keys()];
  }

  has(kekId: string): boolean {
    return this.#entries.has(kekId);
  }

  /**
   * Keys for this purpose, that of the active key first: sign with the first, accept any (rotation).
   * Each is 32 bytes.
   */
  subKeys(purpose: KeyPurpose): [Buffer, ...Buffer[]] {
    const derived = this.ids.map((id) => this.#derive(id, purpose));
    return derived as [Buffer, ...Buffer[]];
  }

  /** Key of one id for this purpose; undefined where the ring has no such key. */
  subKey(id: string, purpose: KeyPurpose): Buffer | undefined {
    return this.has(id) ? this.#derive(id, purpose) : undefined;
  }

  /** HMAC-SHA-256 of `data` with the active key for this purpose. */
  mac(purpose: KeyPurpose, data: string | Buffer): Buffer {
    return createHmac('sha256', this.subKeys(purpose)[0]).update(data).digest();
  }

  wrap(dataKey: Buffer, context: Buffer): Promise<WrappedKey> {
    const kek = this.#derive(this.activeId, 'data-key-wrap');
    return Promise.resolve({ kekId: this.activeId, bytes: seal(kek, dataKey, context) });
  }

  async unwrap({ kekId, bytes }: WrappedKey, context: Buffer): Promise<Buffer> {
    const kek = this.subKey(kekId, 'data-key-wrap');
    if (kek === undefined)
      throw new HelixError(
        'PLATFORM.SECRET_UNREADABLE',
        `The keyring has no key called ${kekId}: put it back.`,
        {
          details: { kekId },
        },
      );
    try {
      return unseal(kek, bytes, context);
    } catch (cause) {
      throw new HelixError('PLATFORM.SECRET_UNREADABLE', `The key ${kekId} does not open this secret.`, {
        cause,
        details: { kekId },
      });
    }
  }

  #derive(id: string, purpose: KeyPurpose): Buffer {
    const key = this.#entries.get(id);
    if (key === undefined) throw new Error(`The keyring has no key called ${id}.`);
    return Buffer.from(hkdfSync('sha256', key, 'helix', `helix.${purpose}.v1`, 32));
  }
}
