/** The best few of many places, by score and then by place, without sorting the many. */
export class TopPlaces {
  readonly #places: number[] = [];
  readonly #scores: number[] = [];

  constructor(private readonly limit: number) {}

  /** Best first. */
  get places(): readonly number[] {
    return this.#places;
  }

  offer(place: number, score: number): void {
    const length = this.#places.length;
    if (length >= this.limit && !this.#isBefore(place, score, length - 1)) return;
    let from = 0;
    let to = length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#isBefore(place, score, middle)) to = middle;
      else from = middle + 1;
    }
    this.#places.splice(from, 0, place);
    this.#scores.splice(from, 0, score);
    if (length >= this.limit) {
      this.#places.pop();
      this.#scores.pop();
    }
  }

  #isBefore(place: number, score: number, index: number): boolean {
    const other = this.#scores[index] ?? 0;
    return score === other ? place < (this.#places[index] ?? 0) : score > other;
  }
}
