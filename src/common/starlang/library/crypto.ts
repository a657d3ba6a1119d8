import { createHash, createHmac } from 'node:crypto';
import { typeFault } from '../errors/fault.js';
import { Binary } from '../values/atoms.js';
import { fn, type LibraryModule } from './define.js';
import { md2 } from './md2.js';

const ALGORITHMS: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  MD5: 'md5',
  SHA1: 'sha1',
  SHA224: 'sha224',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
});

/** `SHA-256` and `HmacSHA256` are names of Java. */
function algorithmOf(name: string): string {
  const found = ALGORITHMS[name.toUpperCase().replace(/^HMAC/, '').replaceAll('-', '')];
  if (!found)
    throw typeFault(
      `The algorithm "${name}" is not known`,
      `known are ${Object.keys(ALGORITHMS).join(', ')} and, for hashWith, MD2`,
    );
  return found;
}

const hash = (content: Binary, name: string) =>
  name.toUpperCase() === 'MD2'
    ? md2(content.bytes)
    : createHash(algorithmOf(name)).update(content.bytes).digest();
const hmac = (secret: Binary, content: Binary, name: string) =>
  createHmac(algorithmOf(name), secret.bytes).update(content.bytes).digest();

export const crypto: LibraryModule = {
  name: 'dw::Crypto',
  functions: [
    fn(
      'MD5',
      'The MD5 hash as hexadecimal text.',
      [['MD5("asd" as Binary)', '"7815696ecbf1c96e6894b779456d330e"']],
      { '(content: Binary): String': (content: Binary) => hash(content, 'MD5').toString('hex') },
    ),
    fn(
      'SHA1',
      'The SHA-1 hash as hexadecimal text.',
      [['SHA1("dsasd" as Binary)', '"2fa183839c954e6366c206367c9be5864e4f4a65"']],
      { '(content: Binary): String': (content: Binary) => hash(content, 'SHA1').toString('hex') },
    ),
    fn(
      'hashWith',
      'The hash of bytes by an algorithm.',
      [
        ['sizeOf(hashWith("a" as Binary, "SHA-256"))', '32'],
        ['dw::core::Binaries::toHex(hashWith("abc" as Binary, "MD2"))', '"DA853B0D3F88D99B30283A69E6DED6BB"'],
      ],
      {
        '(content: Binary, algorithm: String = "SHA-1"): Binary': (content: Binary, name?: string) =>
          new Binary(hash(content, name ?? 'SHA-1')),
      },
    ),
    fn(
      'HMACBinary',
      'The keyed hash of bytes by an algorithm.',
      [['sizeOf(HMACBinary("k" as Binary, "a" as Binary))', '20']],
      {
        '(secret: Binary, content: Binary, algorithm: String = "HmacSHA1"): Binary': (
          secret: Binary,
          content: Binary,
          name?: string,
        ) => new Binary(hmac(secret, content, name ?? 'HmacSHA1')),
      },
    ),
    fn(
      'HMACWith',
      'The keyed hash as hexadecimal text.',
      [['sizeOf(HMACWith("k" as Binary, "a" as Binary, "HmacSHA256"))', '64']],
      {
        '(secret: Binary, content: Binary, algorithm: String = "HmacSHA1"): String': (
          secret: Binary,
          content: Binary,
          name?: string,
        ) => hmac(secret, content, name ?? 'HmacSHA1').toString('hex'),
      },
    ),
  ],
};
