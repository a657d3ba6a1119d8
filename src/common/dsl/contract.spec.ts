import { describe, expect, it } from 'vitest';
import { parseSources } from './parse-workspace.js';
import { contractSnippets } from './testing/contract-snippets.js';

describe('the YAML of the contract', () => {
  it.each(Object.entries(contractSnippets))('%s', (name, text) => {
    const { problems, definition } = parseSources([{ path: `${name}.yaml`, text }], {
      MCP_KEY: 'k',
      KEY: 'k',
    });
    expect(problems).toEqual([]);
    expect(definition.tools.length + definition.workflows.length + definition.sections.size).toBeGreaterThan(
      0,
    );
  });
});
