import { describe, expect, it } from 'vitest';
import { parseSources } from '../parse-workspace.js';

function parse(entry: string) {
  const text = `catalogue:\n  kb: ${entry}\n`;
  const { catalogue, problems } = parseSources([{ path: '/desk/w.yaml', text }], { KB_TOKEN: 'kb-token-1' });
  return { source: catalogue[0], found: problems.map(({ rule, message }) => `${rule}: ${message}`) };
}

describe('a source of the section catalogue', () => {
  it('may be an MCP server at an address, with a token of a variable', () => {
    const { source, found } = parse("{ mcp: 'https://kb.example/mcp', bearer: '${KB_TOKEN}', pin: block }");
    expect(found).toEqual([]);
    expect(source).toMatchObject({
      kind: 'mcp',
      name: 'kb',
      pin: 'block',
      ownConnections: false,
      refreshMs: 300_000,
      server: { transport: 'http', headers: { authorization: 'Bearer kb-token-1' } },
    });
  });

  it('may be a program beside the file, or one of PATH', () => {
    expect(parse('{ mcp: ./bin/server, args: [--fast], env: { A: b } }').source).toMatchObject({
      server: { transport: 'stdio', command: '/desk/bin/server', args: ['--fast'], env: { A: 'b' } },
    });
    expect(parse('{ mcp: npx }').source).toMatchObject({ server: { command: 'npx' } });
  });

  it.each([
    ['{ headers: {} }', /needs one of "openapi" .* and "mcp"/],
    ['{ mcp: npx, openapi: a.yaml }', /needs one of "openapi" .* and "mcp"/],
    ["{ mcp: 'ftp://kb.example/mcp' }", /http\(s\) address without credentials/],
    ["{ mcp: 'https://ann:pw@kb.example/mcp' }", /http\(s\) address without credentials/],
    ["{ mcp: 'https://kb.example/mcp', args: [a] }", /belong to a program/],
    ["{ mcp: 'https://kb.example/mcp', bearer: '${KB_TOKEN}', connection: true }", /Only one of "bearer"/],
    ["{ mcp: 'https://kb.example/mcp', bearer: written-out }", /written-secret: .* take it from a variable/],
    ['{ mcp: \'https://kb.example/mcp\', headers: { X-A: "a\\nb" } }', /text in one line/],
    ['{ mcp: npx, connection: true }', /need an http\(s\) address/],
    ['{ mcp: npx, pin: maybe }', /one of off, warn, block/],
    ['{ mcp: npx, prefix: a/b }', /prefix has at most 32/],
    ['{ mcp: npx, refrsh: 1m }', /refresh/],
  ])('is refused as %s', (entry, message) => {
    expect(parse(entry).found.join('\n')).toMatch(message);
  });
});
