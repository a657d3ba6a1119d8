/** The tools that have one word, by their place in the index, ascending, and with what weight each. */
export interface Postings {
  readonly places: Int32Array;
  readonly weights: Float32Array;
}

/** Collects the words of tools, tool by tool, into postings. */
export class PostingsBuilder {
  readonly #byWord = new Map<string, { readonly places: number[]; readonly weights: number[] }>();

  /** A word that a tool has several times counts with its best weight. Places must not descend. */
  add(word: string, place: number, weight: number): void {
    const known = this.#byWord.get(word);
    if (!known) {
      this.#byWord.set(word, { places: [place], weights: [weight] });
      return;
    }
    const last = known.places.length - 1;
    if (known.places[last] !== place) {
      known.places.push(place);
      known.weights.push(weight);
    } else if ((known.weights[last] ?? 0) < weight) known.weights[last] = weight;
  }

  words(): Iterable<string> {
    return this.#byWord.keys();
  }

  postingsOf(word: string): Postings {
    const { places, weights } = this.#byWord.get(word) ?? { places: [], weights: [] };
    return { places: Int32Array.from(places), weights: Float32Array.from(weights) };
  }
}
