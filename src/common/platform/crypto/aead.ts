import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceLength = 12;
/** Said at both ends: without it Node accepts tags of four bytes when it decrypts. */
const authTagLength = 16;

/** AES-256-GCM (NIST SP 800-38D): nonce, ciphertext and tag in one. The nonce is random, the key used few times. */
export function seal(key: Buffer, plain: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength });
  cipher.setAAD(context);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error where key, context or a single bit differs */
export function unseal(key: Buffer, sealed: Buffer, context: Buffer): Buffer {
  if (sealed.length < nonceLength + authTagLength) throw new Error('The sealed text is cut short.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength), { authTagLength });
  decipher.setAAD(context);
  decipher.setAuthTag(sealed.subarray(-authTagLength));
  return Buffer.concat([decipher.update(sealed.subarray(nonceLength, -authTagLength)), decipher.final()]);
}
