import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workspaceVariables } from './workspace-variables.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'helix-variables-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the key of the environment wins, and nothing is written', () => {
  const environment = { HELIX_MCP_KEY: 'mine', OTHER: '1' };
  expect(workspaceVariables(join(root, 'home'), environment, { keep: true })).toBe(environment);
  expect(() => statSync(join(root, 'home'))).toThrow('ENOENT');
});

test('a key that no workspace asks for is not made', () => {
  workspaceVariables(join(root, 'home'), {}, { keep: true });
  expect(() => statSync(join(root, 'home'))).toThrow('ENOENT');
});

test('a home that cannot be written is named, with what to do', () => {
  const variables = workspaceVariables('/dev/null/home', {}, { keep: true });
  expect(() => variables['HELIX_MCP_KEY']).toThrow(/set HELIX_MCP_KEY/);
});

test('without one a key is made once for the home, readable by its owner only', () => {
  const home = join(root, 'home');
  const first = workspaceVariables(home, { OTHER: '1' }, { keep: true });
  expect(first).toMatchObject({ OTHER: '1', HELIX_MCP_KEY: expect.stringMatching(/^mcp_[\w-]{32}$/) });
  expect(readFileSync(join(home, 'mcp-key'), 'utf8').trim()).toBe(first['HELIX_MCP_KEY']);
  expect(statSync(join(home, 'mcp-key')).mode & 0o777).toBe(0o600);
  expect(workspaceVariables(home, { HELIX_MCP_KEY: '' }, { keep: true })).toMatchObject({
    HELIX_MCP_KEY: first['HELIX_MCP_KEY'],
  });
});

test('a command that only looks writes nothing, and sees the key that is there', () => {
  const home = join(root, 'home');
  const looked = workspaceVariables(home, {}, { keep: false });
  expect(looked['HELIX_MCP_KEY']).toMatch(/^mcp_/);
  expect(() => statSync(home)).toThrow('ENOENT');
  const kept = workspaceVariables(home, {}, { keep: true })['HELIX_MCP_KEY'];
  expect(workspaceVariables(home, {}, { keep: false })['HELIX_MCP_KEY']).toBe(kept);
});
