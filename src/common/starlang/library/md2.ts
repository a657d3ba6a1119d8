/** Substitution of RFC 1319, section 3.2: made of the digits of pi. */
const PI = Buffer.from(
  '292e43c9a2d87c013d3654a1ecf0061362a705f3c0c7738c98932bd9bc4c82ca' +
    '1e9b573cfdd4e01667426f188a17e512be4ec4d6da9ede49a0fbf58ebb2fee7a' +
    'a968799115b2073f94c210890b225f21807f5d9a5a903227353ecce7bff79703' +
    'ff1930b348a5b5d1d75e922aac56aac64fb838d296a47db676fc6be29c7404f1' +
    '459d705964718720865bcf65e62da8021b6025adaeb0b9f61c46616934407e0f' +
    '5547a323dd51af3ac35cf9cebac5ea262c530d6e85288409d3dfcdf441814d52' +
    '6adc37c86cc1abfa24e17b080cbdb14a7888958be363e86de9cbd5fe3b001d39' +
    'f2efb70e6658d0e4a67772f8eb754b0a314450b48fed1f1adb998d339f118314',
  'hex',
);

const BLOCK = 16;

/** MD2 (RFC 1319), which Node's crypto has no longer. Only for comparing with old hashes: it is broken. */
export function md2(content: Uint8Array): Buffer {
  const padding = BLOCK - (content.length % BLOCK);
  const message = Buffer.concat([content, Buffer.alloc(padding, padding)]);
  const checksum = Buffer.alloc(BLOCK);
  let last = 0;
  const state = Buffer.alloc(3 * BLOCK);
  const absorb = (block: Uint8Array) => {
    for (let i = 0; i < BLOCK; i++) {
      state[BLOCK + i] = block[i] as number;
      state[2 * BLOCK + i] = (block[i] as number) ^ (state[i] as number);
    }
    let t = 0;
    for (let round = 0; round < 18; round++) {
      for (let i = 0; i < state.length; i++) t = state[i] = (state[i] as number) ^ (PI[t] as number);
      t = (t + round) % 256;
    }
  };
  for (let at = 0; at < message.length; at += BLOCK) {
    const block = message.subarray(at, at + BLOCK);
    for (let i = 0; i < BLOCK; i++)
      last = checksum[i] = (checksum[i] as number) ^ (PI[(block[i] as number) ^ last] as number);
    absorb(block);
  }
  absorb(checksum);
  return state.subarray(0, BLOCK);
}
