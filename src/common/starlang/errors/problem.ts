/** The families of things that can be wrong; a caller may switch on them. */
export type ProblemKind =
  | 'syntax' // the text is no Starlang
  | 'reference' // an unknown name, module or member
  | 'type' // a call, operator or selector got values it does not take
  | 'coercion' // a value cannot become the wanted type
  | 'format' // text that is not of its format, or a value a format cannot write
  | 'budget' // steps, time, depth or size are used up
  | 'user' // the script itself failed: fail(), ???, an asserted key
  | 'forbidden'; // a feature of the peer language that reaches the host

/** One thing that is wrong, with the place it was found. `line` and `column` start at 1. */
export interface Problem {
  kind: ProblemKind;
  message: string;
  line: number;
  column: number;
  /** Offset into the source, 0-based. */
  offset: number;
  /** The source line with its number and a caret below the place. */
  excerpt: string;
  /** A suggestion, such as `did you mean "upper"?`. */
  hint?: string;
}

export interface Place {
  line: number;
  column: number;
}

/** Line and column of an offset: computed only when a problem is reported. */
export function placeOf(source: string, offset: number): Place {
  let line = 1;
  let start = 0;
  const end = Math.min(offset, source.length);
  for (let at = source.indexOf('\n'); at >= 0 && at < end; at = source.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return { line, column: end - start + 1 };
}

const WIDEST = 160;

/** The line of `offset` with its number, and a caret line that underlines `length` characters. */
export function excerptOf(source: string, offset: number, length = 1): string {
  const { line, column } = placeOf(source, offset);
  const start = offset - (column - 1);
  const stop = source.indexOf('\n', start);
  const whole = source.slice(start, stop < 0 ? source.length : stop).replace(/\r$/, '');
  const from = column > WIDEST ? column - WIDEST / 2 : 0;
  const text = whole.slice(from, from + WIDEST).replaceAll('\t', ' ');
  const gutter = `${line}| `;
  const carets = '^'.repeat(Math.max(1, Math.min(length, text.length - (column - 1 - from))));
  return `${gutter}${text}\n${' '.repeat(gutter.length + column - 1 - from)}${carets}`;
}

export function problemAt(
  source: string,
  offset: number,
  kind: ProblemKind,
  message: string,
  extra: { hint?: string; length?: number } = {},
): Problem {
  const place = placeOf(source, offset);
  const excerpt = excerptOf(source, offset, extra.length);
  return { kind, message, ...place, offset, excerpt, ...(extra.hint ? { hint: extra.hint } : {}) };
}
