import { randomBytes } from 'node:crypto';
import type { IdSource } from '../../engine/api/ports.js';

/** Chance is fetched for so many ids at once: asking for it costs more than everything else about an id. */
const IDS_AT_ONCE = 256;
/** Hexadecimal digits of chance in one id: a counter's start (3), the variant (1) and the rest (15). */
const DIGITS = 19;

/**
 * UUID version 7 (RFC 9562, section 5.7): sorted by time, and within a millisecond by a counter that starts at a
 * random place (section 6.2, method 1), so ids made by one process always ascend.
 */
export class UuidV7 implements IdSource {
  #millisecond = 0;
  #counter = 0;
  /** The first half of the text as long as the millisecond lasts. */
  #prefix = '';
  #chance = '';
  #used = 0;

  constructor(private readonly now: () => number = Date.now) {}

  next(): string {
    if (this.#used + DIGITS > this.#chance.length) {
      this.#chance = randomBytes((IDS_AT_ONCE * DIGITS) / 2).toString('hex');
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += DIGITS;
    const chance = this.#chance;
    // A clock that steps back must not step the ids back.
    const time = this.now();
    if (time > this.#millisecond) this.#begin(time, chance.slice(at, at + 3));
    else if (++this.#counter > 0xf_ff) this.#begin(this.#millisecond + 1, chance.slice(at, at + 3));
    const counter = (this.#counter + 0x70_00).toString(16);
    const variant = variants[chance.charCodeAt(at + 3) & 3];
    return `${this.#prefix}-${counter}-${variant}${chance.slice(at + 4, at + 7)}-${chance.slice(at + 7, at + DIGITS)}`;
  }

  #begin(millisecond: number, chance: string): void {
    this.#millisecond = millisecond;
    // The upper half stays free, so that a busy millisecond can count up.
    this.#counter = Number.parseInt(chance, 16) & 0x7_ff;
    const text = millisecond.toString(16).padStart(12, '0');
    this.#prefix = `${text.slice(0, 8)}-${text.slice(8)}`;
  }
}

/** The two highest bits are 10 (RFC 9562, section 4.1). */
const variants = ['8', '9', 'a', 'b'] as const;
