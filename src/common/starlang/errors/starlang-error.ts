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
  const module = problem.module === undefined ? '' : `${problem.module}, `;
  return `${problem.message} (${module}line ${problem.line}, column ${problem.column})\n\n${problem.excerpt}${hint}`;
}

/** A line that follows itself is written once, with how often: a recursion is one line. */
function traceText(trace: readonly string[]): string {
  const lines: { text: string; times: number }[] = [];
  for (const text of trace) {
    const last = lines.at(-1);
    if (last?.text === text) last.times++;
    else lines.push({ text, times: 1 });
  }
  const shown = lines.map(({ text, times }) => `\n  at ${text}${times > 1 ? ` (${times} times)` : ''}`);
  return shown.length === 0 ? '' : `\nTrace:${shown.join('')}`;
}
