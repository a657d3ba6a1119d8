const newline = 0x0a;

/**
 * Cuts bytes into lines without joining or scanning anything twice, so that a long line in many chunks costs its length
 * and no more. A line beyond the limit is reported once as null and skipped to its end.
 */
export class LineSplitter {
  #chunks: Buffer[] = [];
  #size = 0;
  #isSkipping = false;

  constructor(
    private readonly mostBytes: number,
    private readonly onLine: (line: Buffer | null) => void,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end < 0) break;
      this.#keep(chunk.subarray(start, end));
      this.#emit();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    if (this.#isSkipping) return;
    this.#size += part.length;
    if (this.#size <= this.mostBytes) {
      this.#chunks.push(part);
      return;
    }
    this.#isSkipping = true;
    this.#chunks = [];
    this.onLine(null);
  }

  #emit(): void {
    const line = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const isWhole = !this.#isSkipping;
    this.#chunks = [];
    this.#size = 0;
    this.#isSkipping = false;
    if (isWhole && line && line.toString('latin1').trim() !== '') this.onLine(line);
  }
}
