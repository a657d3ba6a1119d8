import { excerptOf, placeOf } from './excerpt.js';

export { excerptOf, placeOf };

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
  /** The module it is in; undefined in the script itself. */
  module?: string;
  /** A suggestion, such as `did you mean "upper"?`. */
  hint?: string;
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
