import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id with 19 MiB, two passes and one lane (OWASP Password Storage Cheat Sheet). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Fewer characters can be guessed from what is known of a person (NIST SP 800-63B-4, section 3.1.1). */
export const shortestPassword = 12;
export const longestPassword = 200;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), cost);
}

/** Where there is no hash, it takes as long and is wrong. */
export async function provesPassword(password: string, stored: string | null): Promise<boolean> {
  nobody ??= hashPassword(randomBytes(24).toString('base64url'));
  const isRight = await verify(stored ?? (await nobody), password.normalize('NFKC'));
  return isRight && stored !== null;
}

let nobody: Promise<string> | undefined;
