import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^hlx_(sk|task)_([0-9A-Za-z]{8})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** `sk`: an API key of a workspace. `task`: a credential for one task, with an allowlist of operations. */
export type CredentialKind = 'sk' | 'task';

/** The parts of `hlx_<kind>_<8 id>_<32 secret><6 check>`. The id is public, the secret has 190 bits. */
export interface CredentialParts {
  readonly kind: CredentialKind;
  readonly id: string;
  readonly secret: string;
}

/**
 * Reads a credential and proves its checksum, so that mistyped and made-up ones are refused without a look into the
 * database, and secret scanners can tell real ones from examples.
 * @returns null where the text is not a credential
 */
export function parseCredential(text: string): CredentialParts | null {
  const match = form.exec(text);
  if (match === null) return null;
  const [, kind, id, secret, check] = match as unknown as [string, CredentialKind, string, string, string];
  return checksum(kind, id, secret) === check ? { kind, id, secret } : null;
}

export function formatCredential({ kind, id, secret }: CredentialParts): string {
  return `hlx_${kind}_${id}_${secret}${checksum(kind, id, secret)}`;
}

/** A new secret for a new id, or for the id of a credential that is being rotated. */
export function mintCredential(kind: CredentialKind, id: string = randomText(8)): CredentialParts {
  return { kind, id, secret: randomText(32) };
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** CRC-32 of all that stands before it, in base62, six digits. */
function checksum(kind: CredentialKind, id: string, secret: string): string {
  let rest = crc32(`hlx_${kind}_${id}_${secret}`);
  let text = '';
  for (let digit = 0; digit < 6; digit += 1) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
