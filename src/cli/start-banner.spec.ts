import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exampleInput } from './example-input.js';
import { startBanner, type StartFacts } from './start-banner.js';
import { recordedTerminal } from './testing/recorded-terminal.js';

const facts: StartFacts = {
  version: '1.2.3',
  apiUrl: 'http://127.0.0.1:3000',
  tools: 1,
  workflows: 2,
  listeners: [{ workflowId: 'research', address: 'http://0.0.0.0:8080/research' }],
  bootstrap: '/home/me/.helix/bootstrap.json',
  hasBootstrapKey: true,
  firstKey: 'sk_secret',
  firstLogin: { email: 'owner@localhost', password: 'pass_secret' },
  example: { toolId: 'search', input: { query: "it's" } },
};

describe('startBanner', () => {
  it('names every address', () => {
    const text = startBanner(facts, recordedTerminal());
    for (const part of [
      '/v1/api',
      '/docs',
      '/mcp',
      'http://0.0.0.0:8080/research',
      'bootstrap.json',
      '1 tool, 2 workflows',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('shows the first key and the first password on a terminal only', () => {
    expect(startBanner(facts, recordedTerminal())).not.toMatch(/sk_secret|pass_secret/);
    const shown = startBanner(facts, recordedTerminal({}, { isTerminal: true }));
    expect(shown).toContain('sk_secret');
    expect(shown).toContain('owner@localhost  pass_secret');
  });

  it('offers no line that reads a key from a file without one, but says how to get another', () => {
    const text = startBanner({ ...facts, hasBootstrapKey: false, firstKey: null }, recordedTerminal());
    expect(text).not.toMatch(/curl|claude mcp|First key/);
    expect(text).toMatch(/No key can be read from .*bootstrap\.json.*helix keys create/);
  });

  it('gives a line that a shell takes as it is', () => {
    const folder = mkdtempSync(join(tmpdir(), "helix it's $HOME "));
    const bootstrap = join(folder, 'bootstrap.json');
    writeFileSync(bootstrap, JSON.stringify({ apiKey: 'sk_from_file' }));
    const line = startBanner({ ...facts, bootstrap }, recordedTerminal())
      .split('\n')
      .find((text) => text.includes('curl'));
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${line}`], {
      encoding: 'utf8',
    }).split('\n');
    rmSync(folder, { recursive: true });
    expect(words).toContain('x-api-key: sk_from_file');
    expect(words).toContain('{"idempotencyKey":"try-search","input":{"query":"it\'s"}}');
  });
});

describe('exampleInput', () => {
  it('gives what the schema asks for and no more', () => {
    expect(
      exampleInput({
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { type: 'integer', minimum: 3 },
          c: { enum: ['x', 'y'] },
          d: { type: 'object', properties: { e: { type: 'boolean' } }, required: ['e'] },
          f: { type: 'string' },
          g: { type: 'array' },
        },
        required: ['a', 'b', 'c', 'd', 'g'],
      }),
    ).toEqual({ a: 'hello', b: 3, c: 'x', d: { e: true }, g: [] });
    expect(exampleInput(null)).toEqual({});
  });
});
