import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installSideTools } from '../support/side-tools.js';

const run = promisify(execFile);

export interface Verdict {
  readonly scenario: string;
  /** Its checks that were not passed; a scenario the referee itself leaves out has none. */
  readonly faults: readonly string[];
}

/**
 * The official suite.
 * @throws Error where it cannot be installed (no network)
 */
export function installReferee(): Promise<string> {
  return installSideTools(join(import.meta.dirname, 'referee'));
}

/** Runs every scenario for servers that a revision knows, scored or not, and tells of each what was not passed. */
export function judgeServer(
  referee: string,
  url: string,
  revision: string,
  output: string,
): Promise<readonly Verdict[]> {
  return judge(referee, ['server', '--url', url, '--requirements', revision], output);
}

/** The names of all scenarios for clients that a revision knows, scored or not. */
export async function clientScenarios(referee: string, revision: string): Promise<readonly string[]> {
  const { stdout } = await run(nodeOf(referee), [suiteOf(referee), 'list', '--requirements', revision]);
  const [, scored = '', others = ''] = /^Client scenarios.*\n((?:  - .+\n)+)([^]*)/m.exec(stdout) ?? [];
  const names = [...scored.matchAll(/- (\S+)/g), ...others.matchAll(/- (\S+) \[client\]/g)];
  return names.map(([, name = '']) => name);
}

/** Runs one scenario for clients. @param program a file for Node, given the URL of the server to call */
export async function judgeClient(
  referee: string,
  program: string,
  revision: string,
  scenario: string,
  output: string,
): Promise<readonly Verdict[]> {
  const command = `${process.execPath} ${program}`;
  const words = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision];
  return judge(referee, [...words, '--timeout', '60000'], output);
}

async function judge(referee: string, words: readonly string[], output: string): Promise<readonly Verdict[]> {
  const limits = { maxBuffer: 64 * 1024 * 1024, timeout: 240_000 };
  // It ends with 1 where a scenario failed; what failed stands in its files.
  await run(nodeOf(referee), [suiteOf(referee), ...words, '-o', output], limits).catch((thrown: unknown) => {
    if ((thrown as { code?: unknown }).code !== 1) throw thrown;
  });
  const files = (await readdir(output, { recursive: true })).filter((file) => file.endsWith('checks.json'));
  return Promise.all(
    files.sort().map(async (file) => verdictOf(file, await readFile(join(output, file), 'utf8'))),
  );
}

const nodeOf = (referee: string): string => join(referee, 'node_modules', '.bin', 'node');
const suiteOf = (referee: string): string =>
  join(referee, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

function verdictOf(file: string, text: string): Verdict {
  const scenario = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT/.exec(file)?.[1] ?? file;
  const faults = (JSON.parse(text) as Check[])
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? ''}`);
  return { scenario, faults };
}
