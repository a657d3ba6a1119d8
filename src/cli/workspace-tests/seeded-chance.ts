/** Numbers in [0, 1) that look like chance and are the same in every run (mulberry32). */
export function seededRandom(seed = 1): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** UUIDs (RFC 9562) that count up: the first is the same in every run. */
export function countedUuids(version: 4 | 7): () => string {
  let count = 0;
  return () => `00000000-0000-${version}000-8000-${(++count).toString(16).padStart(12, '0')}`;
}
