import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalogue } from '../../src/cli/catalogue.js';
import { runCommand } from '../../src/cli/program.js';
import { recordedTerminal } from '../../src/cli/testing/recorded-terminal.js';
import { scriptCheck, validateWorkspace } from '../../src/common/dsl/index.js';
import { parseSources } from '../../src/common/dsl/parse-workspace.js';
import { StarlangLanguage } from '../../src/common/dsl/starlang-language.js';
import { Engine } from '../../src/common/engine/runtime/engine.js';
import { JsonSchemaValidator } from '../../src/common/platform/schema/json-schema-validator.js';
import { compile, toPlain } from '../../src/common/starlang/index.js';

/** What the guide shows must work as it stands there. */
const folder = join(import.meta.dirname, '..', '..', 'docs', 'guide');
const pages = [...readdirSync(folder).filter((name) => name.endsWith('.md')), '../../README.md'];
const textOf = (page: string): string => readFileSync(join(folder, page), 'utf8');

describe('the examples of Starlang', () => {
  const text = textOf('starlang-by-example.md');
  const examples = [...text.matchAll(/^```starlang\n(.*?)^```\s+gives\s+`([^`]*)`/gms)];

  it('are all told with their result', () => {
    expect(examples.length).toBe(text.match(/^```starlang$/gm)?.length);
    expect(examples.length).toBeGreaterThan(15);
  });

  it.each(examples.map(([, script = '', result = '']) => [script, result]))(
    '%s gives %s',
    (script, result) => {
      const value = toPlain(compile(script).run({}).value);
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(result)));
    },
  );
});

describe('the YAML of the guide', () => {
  const snippets = pages.flatMap((page) =>
    [...textOf(page).matchAll(/^```yaml\n(.*?)^```/gms)].flatMap(([, snippet = '']) => {
      const workspace = workspaceOf(snippet);
      return workspace === null ? [] : [[page, snippet, workspace] as const];
    }),
  );

  it('is really checked', () => {
    expect(problemsOf('tools: [{ id: a, stepz: [] }]').join('\n')).toContain('did you mean "steps"?');
  });
  it('is found', () => expect(snippets.length).toBeGreaterThan(30));

  it.each(snippets)('%s: %s', (_page, _snippet, workspace) => expect(problemsOf(workspace)).toEqual([]));
});

describe('the tests of the guide', () => {
  const found = [
    ...textOf('testing-workflows.md').matchAll(
      /^```yaml\n(.*?^tests:\n.*?)^```\n(?:[^`]*^```text\n(.*?)^```)?/gms,
    ),
  ];

  it('are found', () => expect(found).toHaveLength(3));

  it.each(found.map(([, workspace = '', told]) => [workspace, told]))(
    '%s come out as it says',
    async (workspace, told) => {
      const work = await mkdtemp(join(tmpdir(), 'helix-guide-'));
      onTestFinished(() => rm(work, { recursive: true }));
      const [parts = '', tests = ''] = workspace.split(/^(?=tests:)/m);
      await writeFile(join(work, 'guide.yaml'), parts);
      // Places are those of the snippet.
      await writeFile(join(work, 'guide.test.yaml'), parts.replaceAll(/^.*$/gm, '') + tests);
      const terminal = recordedTerminal({ HELIX_HOME: work }, { folder: work });
      const code = await runCommand(['test', '.'], terminal);
      expect(terminal.written.err + terminal.written.out).toContain(told ?? ' passed in ');
      expect(code).toBe(told === undefined ? 0 : 1);
    },
  );
});
/** A snippet shows a part: what it calls and reads may stand elsewhere. */
const elsewhere: ReadonlySet<string> = new Set(['missing-target', 'unset-property']);

/** The snippet with what it leaves out around it; null where it is no part of a workspace. */
function workspaceOf(snippet: string): string | null {
  const indent = (by: number): string => snippet.replace(/^(?=.)/gm, ' '.repeat(by));
  const flow = 'workflows:\n  - id: flow\n    from: direct://flow\n';
  const begins = (...words: readonly string[]): boolean => words.some((word) => snippet.startsWith(word));
  if (begins('tools:', 'workflows:', 'connections:', 'error-handler:', 'on-exception:', 'interceptors:'))
    return snippet;
  if (begins('steps:')) return `${flow}${indent(4)}`;
  if (begins('trigger:', 'from:')) return `workflows:\n  - id: flow\n    steps: []\n${indent(4)}`;
  if (begins('uri:')) return `workflows:\n  - id: flow\n    steps: []\n    trigger:\n${indent(6)}`;
  const tool = 'tools:\n  - id: tool\n    steps: [{ stop: }]\n';
  if (begins('input:')) return `${tool}${indent(4)}`;
  if (begins('validate:')) return `${tool}    input: { amount: { type: number } }\n${indent(4)}`;
  if (begins('- id:') && snippet.includes('\n  trigger:')) return `workflows:\n${indent(2)}`;
  if (begins('- ')) return `${flow}    steps:\n${indent(6)}`;
  return null;
}

/** Errors, but for targets that the rest of a workspace would have. */
function problemsOf(text: string): string[] {
  const language = new StarlangLanguage();
  const validator = new JsonSchemaValidator();
  const vocabulary = catalogue({ language, validator });
  const builder = new Engine({
    ...vocabulary,
    interceptors: [],
    language,
    validator,
    clock: { now: () => 0, schedule: () => () => {} },
    ids: { next: () => '' },
    log: { write: () => {} },
  });
  const variables = {
    KB_TOKEN: 'token',
    HELPDESK_KEYS: 'key-1',
    HELPDESK_MCP_KEY: 'key-2',
    HELIX_MCP_KEY: 'key-3',
    ORDERS_TOKEN: 'token-2',
    ORDERS_DATABASE_URL: 'postgres://db.example/orders',
  };
  const parsed = parseSources([{ path: 'guide.yaml', text }], variables);
  return validateWorkspace(parsed, {
    ...vocabulary,
    builder,
    checkScript: scriptCheck([]),
    schemas: validator,
  })
    .filter(({ severity, rule }) => severity !== 'info' && !elsewhere.has(rule))
    .map(({ rule, message, place }) => `${place.line}:${place.column} ${rule} ${message}`);
}
