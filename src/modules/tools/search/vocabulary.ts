import { forgivenTypos, isWithin } from './edit-distance.js';

/**
 * The distinct words of an index, each with its number, for look-up by the word, by its beginning, and by a word that
 * was mistyped.
 */
export class Vocabulary {
  readonly words: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;
  /** Which letters each word has, as bits: words whose letters differ much cannot be a typo apart. */
  readonly #letters: Uint32Array;

  constructor(words: Iterable<string>) {
    this.words = [...new Set(words)].sort();
    this.#numbers = new Map(this.words.map((word, number) => [word, number]));
    this.#letters = Uint32Array.from(this.words, lettersOf);
  }

  numberOf(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  /** The numbers of all longer words that begin so: they lie side by side. */
  beginningWith(start: string): { readonly from: number; readonly to: number } {
    const from = this.#firstAtOrAfter(start) + (this.#numbers.has(start) ? 1 : 0);
    const to = this.#firstAtOrAfter(`${start}\u{10FFFF}`);
    return { from, to };
  }

  /** The numbers of the words that this one may be a mistyping of. */
  mistyped(word: string): number[] {
    const allowed = forgivenTypos(word);
    if (allowed === 0) return [];
    const letters = lettersOf(word);
    const found: number[] = [];
    for (let number = 0; number < this.words.length; number += 1) {
      // A wrong letter takes one bit away and brings another.
      if (bitsOf((this.#letters[number] ?? 0) ^ letters) > 2 * allowed) continue;
      if (isWithin(word, this.words[number] ?? '', allowed)) found.push(number);
    }
    return found;
  }

  #firstAtOrAfter(word: string): number {
    let from = 0;
    let to = this.words.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.words[middle] ?? '') < word) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function lettersOf(word: string): number {
  let bits = 0;
  for (let place = 0; place < word.length; place += 1) bits |= 1 << (word.charCodeAt(place) & 31);
  return bits >>> 0;
}

function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
