/** A data key as it is stored: wrapped by the key-encryption key with this id. */
export interface WrappedKey {
  readonly kekId: string;
  readonly bytes: Buffer;
}

/**
 * Holds the key-encryption keys and never shows them; the keyring of the environment fills it, a key management
 * service can. `context` is bound to the wrapped key: it unwraps in that context only.
 */
export interface KeyProvider {
  /** Id of the key that wraps now. */
  readonly activeId: string;
  wrap(dataKey: Buffer, context: Buffer): Promise<WrappedKey>;
  /** @throws HelixError `PLATFORM.SECRET_UNREADABLE` where the key is missing or does not fit */
  unwrap(wrapped: WrappedKey, context: Buffer): Promise<Buffer>;
  has(kekId: string): boolean;
}
