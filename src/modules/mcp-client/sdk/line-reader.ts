/** Splits a stream into lines. Only new bytes are looked at, so that a long line costs its length and no more. */
export class LineReader {
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(private readonly maxBytes: number) {}

  /** The lines that this chunk completes. @throws RangeError where a line is longer than allowed */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      this.#keep(chunk.subarray(from, at));
      lines.push(Buffer.concat(this.#pieces).toString('utf8').replace(/\r$/, ''));
      this.#pieces = [];
      this.#size = 0;
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.maxBytes) throw new RangeError(`A message is larger than ${this.maxBytes} bytes.`);
    if (piece.length > 0) this.#pieces.push(piece);
  }
}
