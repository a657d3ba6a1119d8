import { delimiter, dirname, resolve } from 'node:path';
import { isTestFile, type TestDefinition } from '../../common/dsl/index.js';
import { CommandFailure } from '../failure.js';
import type { Terminal } from '../terminal.js';
import { workspacePaths } from '../workspace-paths.js';

/** Where the workspace is, and which of its test files are meant; none means all. */
export interface Selection {
  readonly paths: readonly string[];
  readonly testFiles: readonly string[];
}

/** A test file that is named alone is tested with the workspace in its folder. */
export async function select(named: readonly string[], terminal: Terminal): Promise<Selection> {
  const words = named.flatMap((word) => word.split(delimiter)).filter((word) => word.trim() !== '');
  const testFiles = words.filter(isTestFile).map((path) => resolve(terminal.folder, path));
  const others = words.filter((word) => !isTestFile(word));
  const folders = others.length > 0 || testFiles.length === 0 ? others : [...new Set(testFiles.map(dirname))];
  return { paths: await workspacePaths(folders, terminal), testFiles };
}

/** @throws CommandFailure for a broken expression */
export function pick(
  tests: readonly TestDefinition[],
  testFiles: readonly string[],
  filter: string | undefined,
): readonly TestDefinition[] {
  const isMeant = filter === undefined ? () => true : filterOf(filter);
  return tests.filter(
    ({ name, subject, place }) =>
      (testFiles.length === 0 || testFiles.includes(place.file)) && isMeant(`${subject.id}: ${name}`),
  );
}

function filterOf(text: string): (name: string) => boolean {
  const written = /^\/(.*)\/(i?)$/s.exec(text);
  if (!written) return (name) => name.toLowerCase().includes(text.toLowerCase());
  try {
    const expression = new RegExp(written[1] ?? '', written[2]);
    return (name) => expression.test(name);
  } catch {
    throw new CommandFailure(`--filter ${text} is no regular expression.`);
  }
}
