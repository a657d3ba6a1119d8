import { randomBytes } from 'node:crypto';
import type { IdSource } from '../../engine/api/ports.js';

/**
 * UUID version 7 (RFC 9562, section 5.7): sorted by time, and within a millisecond by a counter that starts at a
 * random place (section 6.2, method 1), so ids made by one process always ascend.
 */
export class UuidV7 implements IdSource {
  #millisecond = 0;
  #counter = 0;

  constructor(private readonly now: () => number = Date.now) {}

  next(): string {
    const bytes = randomBytes(16);
    // A clock that steps back must not step the ids back.
    const time = Math.max(this.now(), this.#millisecond);
    if (time > this.#millisecond) {
      this.#millisecond = time;
      this.#counter = bytes.readUInt16BE(6) & 0x7_ff;
    } else if (++this.#counter > 0xf_ff) {
      this.#millisecond++;
      this.#counter = bytes.readUInt16BE(6) & 0x7_ff;
    }
    bytes.writeUIntBE(this.#millisecond, 0, 6);
    bytes.writeUInt16BE(0x70_00 | this.#counter, 6);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}
