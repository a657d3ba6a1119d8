import type { Place, ScalarNode } from '../../engine/model/source-node.js';

/** How a scalar stands in its file; offsets are UTF-16 units of the file's text. */
export interface ScalarSpan {
  readonly style: 'plain' | 'single' | 'double' | 'block';
  /** First character of the content: after the opening quote, or after the header line of a block. */
  readonly start: number;
  readonly end: number;
}

/** A file of the workspace with its text, so that a report can show the line a problem stands on. */
export class SourceFile {
  private readonly lineStarts: readonly number[];
  private readonly spans = new WeakMap<ScalarNode, ScalarSpan>();
  private readonly scalars = new Map<string, ScalarNode>();

  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.lineStarts = starts;
  }

  placeAt(offset: number): Place {
    let [low, high] = [0, this.lineStarts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.path, line: low + 1, column: offset - (this.lineStarts[low] ?? 0) + 1 };
  }

  /** The text of a line (1-based), without its line break. */
  line(number: number): string | undefined {
    const start = this.lineStarts[number - 1];
    if (start === undefined) return undefined;
    const next = this.lineStarts[number];
    return this.text.slice(start, next === undefined ? undefined : next - 1).replace(/\r$/, '');
  }

  /** @param span null where the text is not the one in the file, since a variable was filled in */
  remember(node: ScalarNode, span: ScalarSpan | null): void {
    if (span) this.spans.set(node, span);
    this.scalars.set(`${node.place.line}:${node.place.column}`, node);
  }

  /** The scalar that begins at the place. */
  scalarAt({ line, column }: Place): ScalarNode | undefined {
    return this.scalars.get(`${line}:${column}`);
  }

  /**
   * Where a place inside a scalar's text (1-based line and column of the text) stands in the file. Where that cannot be
   * told (a variable changed the text), the place of the scalar.
   */
  placeInside(node: ScalarNode, line: number, column: number): Place {
    const span = this.spans.get(node);
    if (!span || node.secret || typeof node.value !== 'string') return node.place;
    return this.placeWithin(node.value, span, line, column);
  }

  /** As {@link placeInside}, for the text as it was written. */
  placeWithin(written: string, span: ScalarSpan, line: number, column: number): Place {
    return this.placeAt(this.offsetInside(span, inkBefore(written, line, column)));
  }

  /**
   * Folding, indentation and line breaks change white space only, so the place is found by counting what is not white
   * space: the same count of such characters stands before it in the text and in the file.
   */
  private offsetInside(span: ScalarSpan, ink: Ink): number {
    let at = span.start;
    let left = ink.count;
    while (at < span.end) {
      const width = this.inkAt(at, span.style);
      if (width > 0) {
        if (left === 0) break;
        left -= 1;
        at += width;
        if (left === 0 && ink.spaceAfter !== null) return Math.min(at + ink.spaceAfter, span.end);
      } else {
        at += Math.max(1, -width);
      }
    }
    // Behind the last visible character, not on the line after a block.
    if (at >= span.end) return span.start + this.text.slice(span.start, span.end).trimEnd().length;
    return at;
  }

  /** Units of the file that make one visible character here; 0 or less for white space, less than −1 for an escaped one. */
  private inkAt(at: number, style: ScalarSpan['style']): number {
    const here = this.text[at] ?? '';
    if (style === 'single' && here === "'") return 2;
    if (style === 'double' && here === '\\') {
      const escape = this.text[at + 1] ?? '';
      const width = { x: 4, u: 6, U: 10 }[escape] ?? 2;
      return /[nrtvfeab0N_LP \n\r\t]/.test(escape) ? -width : width;
    }
    return /\s/.test(here) ? 0 : 1;
  }
}

interface Ink {
  /** Visible characters before the place. */
  readonly count: number;
  /** Where the place stands in white space after one of them: how far after it; null where it stands on the next one. */
  readonly spaceAfter: number | null;
}

function inkBefore(text: string, line: number, column: number): Ink {
  const lines = text.split('\n');
  const here = lines[line - 1] ?? '';
  const left = here.slice(0, column - 1);
  const count = [...lines.slice(0, line - 1), left].join('').replace(/\s/g, '').length;
  const onNext = /^\S/.test(here.slice(column - 1)) || left.trim() === '';
  return { count, spaceAfter: onNext ? null : left.length - left.trimEnd().length };
}
