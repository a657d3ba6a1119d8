import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from '../../common/platform/config/env.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { JsonSchemaValidator } from '../../common/platform/schema/json-schema-validator.js';
import { FileWorkspaceSource } from './file-workspace-source.js';

test('a key that a workspace takes from a variable is masked in whatever is logged or told', async () => {
  const home = mkdtempSync(join(tmpdir(), 'helix-source-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, 'w.yaml');
  writeFileSync(
    file,
    [
      'workflows:',
      '  - id: guarded',
      '    from: "mcp-server://127.0.0.1:0?api_keys=${HELIX_MCP_KEY}"',
      '    steps: []',
    ].join('\n'),
  );
  writeFileSync(join(home, 'mcp-key'), 'mcp_of_this_home');
  const lines: string[] = [];
  const to = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const log = new HelixLog({ level: 'info', format: 'json', to });
  const config = readEnvironment({ HELIX_HOME: home, HELIX_WORKFLOWS: file });
  await new FileWorkspaceSource(config, log).load({
    components: [],
    steps: [],
    builder: { check: () => [] },
    schemas: new JsonSchemaValidator(),
  });
  log.write('info', 'the key is mcp_of_this_home', { note: 'mcp_of_this_home' });
  expect(lines).toHaveLength(1);
  expect(lines.join('')).toContain('the key is [secret]');
  expect(lines.join('')).not.toContain('mcp_of_this_home');
  expect(log.redact('refused: mcp_of_this_home')).toBe('refused: [secret]');
});
