import { placeOf, problemAt, type Problem, type ProblemKind } from './problem.js';

/** The text of one module, or of the script itself. */
export interface SourcePart {
  /** Undefined for the script. */
  module: string | undefined;
  /** Offset of its first character. */
  start: number;
  text: string;
}

/** A script and the modules it imports, one after the other: an offset names a place in one of them. */
export class SourceText {
  constructor(readonly parts: readonly [SourcePart, ...SourcePart[]]) {}

  static of(text: string): SourceText {
    return new SourceText([{ module: undefined, start: 0, text }]);
  }

  /** The text of all parts: equal texts mean equal scripts. */
  get key(): string {
    return this.parts.length === 1
      ? this.parts[0].text
      : JSON.stringify(this.parts.map(({ module, text }) => [module, text]));
  }

  matches(pattern: RegExp): boolean {
    return this.parts.some(({ text }) => pattern.test(text));
  }

  problemAt(
    offset: number,
    kind: ProblemKind,
    message: string,
    extra: { hint?: string; length?: number } = {},
  ): Problem {
    const { module, start, text } = this.partOf(offset);
    const problem = problemAt(text, offset - start, kind, message, extra);
    return module === undefined ? problem : { ...problem, module };
  }

  /** As a line of a trace says it. */
  placeText(offset: number): string {
    const { module, start, text } = this.partOf(offset);
    const { line, column } = placeOf(text, offset - start);
    return `(${module === undefined ? '' : `${module}, `}line: ${line}, column: ${column})`;
  }

  private partOf(offset: number): SourcePart {
    return this.parts.findLast(({ start }) => start <= offset) ?? this.parts[0];
  }
}
