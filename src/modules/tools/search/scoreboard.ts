import type { Postings } from './postings.js';

/** How much the share of the question that a tool answers counts beside how well it answers it. */
const coverageExponent = 3;

/**
 * What each tool has scored in the search at hand. Kept between searches, so that a search costs as much as it has
 * matches and allocates nothing for the tools.
 */
export class Scoreboard {
  readonly #best: Float32Array;
  readonly #score: Float64Array;
  readonly #covered: Float64Array;
  readonly #matched: Uint16Array;
  /** The tools that the word at hand matched, and those that any word did. */
  readonly #now: Int32Array;
  #nowLength = 0;
  readonly #ever: Int32Array;
  #everLength = 0;
  #words = 0;
  #rarities = 0;

  constructor(private readonly size: number) {
    this.#best = new Float32Array(size);
    this.#score = new Float64Array(size);
    this.#covered = new Float64Array(size);
    this.#matched = new Uint16Array(size);
    this.#now = new Int32Array(size);
    this.#ever = new Int32Array(size);
  }

  /** Whether the word at hand has matched no tool yet. */
  get isWordUnmatched(): boolean {
    return this.#nowLength === 0;
  }

  /** The word at hand, or one close to it, stands in these tools. */
  match({ places, weights }: Postings, closeness: number): void {
    const best = this.#best;
    for (let index = 0; index < places.length; index += 1) {
      const place = places[index] as number;
      const value = (weights[index] as number) * closeness;
      const before = best[place] as number;
      if (before === 0) this.#now[this.#nowLength++] = place;
      if (value > before) best[place] = value;
    }
  }

  /** Adds what the word at hand brought each tool; a word that every tool contains tells little about which is meant. */
  endWord(): void {
    const rarity = Math.log(1 + this.size / Math.max(1, this.#nowLength));
    for (let index = 0; index < this.#nowLength; index += 1) {
      const place = this.#now[index] as number;
      if (this.#matched[place] === 0) this.#ever[this.#everLength++] = place;
      (this.#matched[place] as number) += 1;
      (this.#score[place] as number) += (this.#best[place] as number) * rarity;
      (this.#covered[place] as number) += rarity;
      this.#best[place] = 0;
    }
    this.#nowLength = 0;
    this.#words += 1;
    this.#rarities += rarity;
  }

  /**
   * Ends the search: tells every tool that at least half of the words matched, with its score, in no order, and clears
   * the board.
   */
  end(tell: (place: number, score: number) => void): void {
    for (let index = 0; index < this.#everLength; index += 1) {
      const place = this.#ever[index] as number;
      if ((this.#matched[place] as number) * 2 >= this.#words) {
        const share = (this.#covered[place] as number) / this.#rarities;
        tell(place, (this.#score[place] as number) * share ** coverageExponent);
      }
      this.#matched[place] = 0;
      this.#score[place] = 0;
      this.#covered[place] = 0;
    }
    this.#everLength = 0;
    this.#words = 0;
    this.#rarities = 0;
  }
}
