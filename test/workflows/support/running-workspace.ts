import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../../src/common/platform/config/process-environment.js';
import { FirstRun } from '../../../src/modules/organizations/index.js';
import { Client } from '../../rest/support/client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** A whole Helix that runs the workspace of a folder, and its first owner. */
export interface RunningWorkspace {
  readonly helix: TestApp;
  readonly owner: Client;
  /** Writes the workspace anew and loads it through the API; the answer says what changed. */
  reload(yaml: string): Promise<Record<string, unknown>>;
  /** `stop`, `start` or `restart` of one workflow through the API; resolves with its new state. */
  act(workflowId: string, action: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function runWorkspace(yaml: string, env: Environment = {}): Promise<RunningWorkspace> {
  const folder = await mkdtemp(join(tmpdir(), 'helix-workspace-'));
  const write = (text: string): Promise<void> => writeFile(join(folder, 'w.yaml'), text);
  await write(yaml);
  const helix = await startTestApp({ env: { HELIX_WORKFLOWS: folder, ...env } });
  await helix.app.nest.get(FirstRun).begin(helix.url);
  const { organizationId, apiKey } = JSON.parse(
    await readFile(join(helix.home, 'bootstrap.json'), 'utf8'),
  ) as Record<'organizationId' | 'apiKey', string>;
  const owner = new Client(helix.url, apiKey, organizationId, '');
  const post = async (path: string): Promise<Record<string, unknown>> => {
    const { status, body } = await owner.send('POST', `/v1/api/workflows/${path}`);
    if (status !== 200) throw new Error(`HTTP ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    helix,
    owner,
    reload: async (text) => {
      await write(text);
      return post('reload');
    },
    act: async (workflowId, action) => (await post(`${workflowId}/${action}`))['state'],
    close: async () => {
      await helix.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
