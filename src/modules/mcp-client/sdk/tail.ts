/** The last bytes of a stream, for telling why something died. */
export class Tail {
  #text = '';

  constructor(
    private readonly maxLength: number,
    /** Values that must not show. */
    private readonly secrets: readonly string[],
  ) {}

  push(chunk: Buffer): void {
    this.#text = (this.#text + chunk.toString('utf8')).slice(-2 * this.maxLength);
  }

  toString(): string {
    return this.secrets
      .filter((secret) => secret.length >= 4)
      .reduce((text, secret) => text.replaceAll(secret, '***'), this.#text)
      .slice(-this.maxLength)
      .trim();
  }
}
