import { relative } from 'node:path';
import type { WorkspaceProblem } from '../../engine/model/workflow-definition.js';
import { counted } from '../../engine/model/counted.js';
import type { SourceFile } from '../source/source-file.js';

export interface ReportOptions {
  /** ANSI colours; only for a terminal. */
  readonly colour: boolean;
  /** Paths below this folder are shown relative to it. */
  readonly folder: string;
}

const colours = { error: 31, warning: 33, info: 36 } as const;

/** For people: place, rule and sentence, the line with a caret below it, and the sums at the end. */
export function textReport(
  problems: readonly WorkspaceProblem[],
  files: ReadonlyMap<string, SourceFile>,
  { colour, folder }: ReportOptions,
): string {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const blocks = problems.map((problem) => {
    const { file, line, column } = problem.place;
    const severity = paint(colours[problem.severity], problem.severity);
    const head = `${paint(1, `${shownPath(file, folder)}:${line}:${column}`)}  ${severity}  ${paint(2, problem.rule)}`;
    const excerpt = excerptOf(files.get(file), line, column).map((text) => paint(2, text));
    return [head, ...problem.message.split('\n').map((text) => `  ${text}`), ...excerpt].join('\n');
  });
  return [...blocks, `${sums(problems, files.size)}\n`].join('\n\n');
}

export function shownPath(file: string, folder: string): string {
  const path = relative(folder, file);
  return path === '' || path.startsWith('..') ? file : path;
}

function excerptOf(file: SourceFile | undefined, line: number, column: number): readonly string[] {
  const text = file?.line(line);
  if (text === undefined || text.trim() === '') return [];
  // Long lines (a script in one line, a key blob) are shown around the place.
  const from = column > 100 ? column - 60 : 0;
  const shown = text.slice(from, from + 120);
  const gutter = `${line}`.padStart(5);
  const indent = shown.slice(0, column - 1 - from).replace(/[^\t]/g, ' ');
  return [`${gutter} | ${shown}`, `${' '.repeat(5)} | ${indent}^`];
}

function sums(problems: readonly WorkspaceProblem[], files: number): string {
  if (problems.length === 0) return `No problems in ${counted(files, 'file')}.`;
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const n = problems.filter((problem) => problem.severity === severity).length;
    return n === 0 ? [] : [counted(n, severity === 'info' ? 'remark' : severity)];
  });
  return `${parts.join(', ')} in ${counted(files, 'file')}.`;
}
