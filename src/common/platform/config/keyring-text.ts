import type { KeyringEntry } from './helix-config.js';

const entryForm = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/;

/** What the text of a keyring must look like, for messages. */
export const keyringRule =
  'a comma-separated list of id:key, each id 1 to 32 of A-Z a-z 0-9 _ -, each key 32 random bytes in base64 ' +
  '(`openssl rand -base64 32` makes one), no id twice';

/**
 * Reads `id:base64,id2:base64` (line breaks count as commas, so that a file may hold one a line).
 * @returns undefined where the text is not a keyring; the text itself is never repeated.
 */
export function parseKeyring(text: string): KeyringEntry[] | undefined {
  const entries: KeyringEntry[] = [];
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const part of parts) {
    const match = entryForm.exec(part);
    const [, id, base64] = match ?? [];
    if (id === undefined || base64 === undefined) return undefined;
    const key = Buffer.from(base64, base64.includes('-') || base64.includes('_') ? 'base64url' : 'base64');
    if (key.length !== 32 || entries.some((entry) => entry.id === id)) return undefined;
    entries.push({ id, key });
  }
  return entries.length > 0 ? entries : undefined;
}
