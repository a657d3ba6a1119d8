import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../rest/support/client.js';
import { freePort } from '../support/free-port.js';
import { runWorkspace, type RunningWorkspace } from './support/running-workspace.js';

let port: number;
let workspace: RunningWorkspace;

/** Each calls itself: under a condition, since what certainly never ends is refused when the workspace is loaded. */
const written = (): string => `
workflows:
  - id: direct
    from: http-server://127.0.0.1:${port}/direct?method=POST
    steps:
      - target: direct://circle
  - id: circle
    from: direct://circle
    steps:
      - choice:
          when:
            - starlang: 'payload == null'
              steps:
                - target: direct://circle
  - id: http
    from: http-server://127.0.0.1:${port}/http?method=POST
    steps:
      - delay: 10ms
      - target: http://127.0.0.1:${port}/http?method=POST&timeout=1s
  - id: seda
    from: http-server://127.0.0.1:${port}/seda?method=POST
    steps:
      - target: seda://circle?wait=always
  - id: queue
    from: seda://circle
    steps:
      - target: seda://circle?wait=always&timeout=200ms
`;

beforeAll(async () => {
  port = await freePort();
  workspace = await runWorkspace(written(), { HELIX_ALLOW_PRIVATE_EGRESS: '127.0.0.0/8' });
});
afterAll(() => workspace.close());

const call = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { method: 'POST' });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

interface Listed {
  readonly counters: { readonly started: number; readonly inFlight: number };
}
const counters = async (id: string): Promise<Listed['counters']> =>
  (await workspace.owner.get<Listed>(`/v1/api/workflows/${id}`)).body.counters;

describe('a workflow that calls itself', () => {
  it('over direct:// is stopped a hundred calls deep', async () => {
    expect(await call('direct')).toMatchObject({ status: 500, body: { code: 'ENGINE.ENDLESS_RECURSION' } });
    expect(workspace.helix.logged()).toContain('Workflows call each other 100 deep, \\"circle\\" among them');
    expect(await counters('circle')).toMatchObject({ started: 99, inFlight: 0 });
  });

  it('over http:// ends with the time-out of the first call, and so do all that hang on it', async () => {
    expect(await call('http')).toMatchObject({ status: 504, body: { code: 'ENGINE.TIMED_OUT' } });
    expect((await counters('http')).started).toBeGreaterThan(2);
    await eventually(async () => (await counters('http')).inFlight).toBe(0);
    const { started } = await counters('http');
    expect((await counters('http')).started).toBe(started);
  });

  it('over seda:// ends when it has waited for itself long enough, and the queue goes on', async () => {
    expect(await call('seda')).toMatchObject({ status: 504, body: { code: 'ENGINE.TIMED_OUT' } });
    expect(workspace.helix.logged()).toContain('seda://circle');
    expect(await call('seda')).toMatchObject({ status: 504 });
    expect((await counters('queue')).inFlight).toBe(0);
  });
});
