import { timingSafeEqual } from 'node:crypto';

/** Before the text stands its length, so that what is cut off or filled up equals nothing else. */
const PREFIX = 4;

/**
 * Texts of which one is looked for in a time that tells nothing about any of them: all stand in blocks of one length, and
 * what is shown is laid into such a block and compared with each, whatever matches. Hashing does the same at several
 * times the cost.
 */
export class KeyBlocks {
  readonly #blocks: readonly Buffer[];
  readonly #shown: Buffer;

  constructor(texts: readonly string[]) {
    const longest = Math.max(0, ...texts.map((text) => text.length));
    this.#shown = Buffer.alloc(PREFIX + 2 * longest);
    this.#blocks = texts.map((text) => layInto(Buffer.alloc(this.#shown.length), text));
  }

  /** Where the text stands among those known; -1 where it is none of them. */
  indexOf(text: string): number {
    const shown = layInto(this.#shown, text);
    let found = -1;
    for (const [at, block] of this.#blocks.entries()) if (timingSafeEqual(block, shown)) found = at;
    return found;
  }
}

function layInto(block: Buffer, text: string): Buffer {
  block.fill(0);
  block.writeUInt32LE(text.length, 0);
  block.write(text, PREFIX, 'utf16le');
  return block;
}
