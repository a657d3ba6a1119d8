/** What became of the key that a message brought. */
export type KeyState = 'mine' | 'running' | 'done';

/**
 * Remembers which messages were dealt with. Each call is one atomic step, so that of two messages with one key exactly
 * one gets `mine`, on whatever node they are.
 */
export interface IdempotencyStore {
  /** Takes the key where nobody has it. `running`: another message has it and is not done. */
  begin(key: string): KeyState | Promise<KeyState>;
  /** The work is done: the key stays taken for `keepMs` milliseconds. */
  complete(key: string, keepMs: number): void | Promise<void>;
  /** The work failed: the key is free again. */
  release(key: string): void | Promise<void>;
}
