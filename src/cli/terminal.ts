import type { Environment } from '../common/platform/config/process-environment.js';

/** What a command sees of the process that runs it, so that tests can run commands without one. */
export interface Terminal {
  readonly environment: Environment;
  /** Paths are shown relative to it, and given ones resolved against it. */
  readonly folder: string;
  /** Standard output is a terminal: a person reads it. */
  readonly isTerminal: boolean;
  /** ANSI colours are welcome. */
  readonly hasColour: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** The terminal of this process. `NO_COLOR` (no-color.org) turns colours off. */
export function processTerminal(environment: Environment): Terminal {
  const isTerminal = process.stdout.isTTY;
  return {
    environment,
    folder: process.cwd(),
    isTerminal,
    hasColour: isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb',
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  };
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

export function paintOf({ hasColour }: Terminal): Paint {
  const paint =
    (code: number) =>
    (text: string): string =>
      hasColour ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    bold: paint(1),
    dim: paint(2),
    red: paint(31),
    green: paint(32),
    yellow: paint(33),
    cyan: paint(36),
  };
}

/** Text columns side by side; the last one is not padded. */
export function columns(rows: readonly (readonly string[])[], gap = 2): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd((widths[at] ?? 0) + gap)))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
