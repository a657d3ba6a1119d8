import type { Problem } from './problem.js';

/** What compile and run throw. `problems` holds at least one; a parse may report several at once. */
export class StarlangError extends Error {
  override readonly name = 'StarlangError';

  constructor(
    readonly problems: readonly Problem[],
    /** Function names from the failing call outwards, as `name (line: n, column: m)`. */
    readonly trace: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(problems.map(describe).join('\n\n') + traceText(trace), options);
  }

  get kind(): Problem['kind'] {
    return this.problems[0]?.kind ?? 'syntax';
  }
}

function describe(problem: Problem): string {
  const hint = problem.hint ? `\n${problem.hint}` : '';
  return `${problem.message} (line ${problem.line}, column ${problem.column})\n\n${problem.excerpt}${hint}`;
}

function traceText(trace: readonly string[]): string {
  return trace.length === 0 ? '' : `\nTrace:\n${trace.map((line) => `  at ${line}`).join('\n')}`;
}
