import { ApplicationConfig } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import { chainOrder, policyOrder } from '../../src/common/engine/interceptors/engine-chain.js';
import { BodySizeGuard } from '../../src/common/platform/http/body-size.guard.js';
import { PolicyGuard } from '../../src/modules/access/guards/policy.guard.js';
import { EdgeInterceptor, WorkflowEngine } from '../../src/modules/workflow-engine/index.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let helix: TestApp;
afterEach(() => helix.close());

const start = async () => {
  helix = await startTestApp({ env: { HELIX_IP_ALLOWLIST: '127.0.0.1', HELIX_RATE_LIMIT: '1000' } });
  const config = helix.app.nest.get(ApplicationConfig);
  return { guards: config.getGlobalGuards(), interceptors: config.getGlobalInterceptors() };
};

describe('the chain of the HTTP edge and the chain of the engine', () => {
  it('hold the same links in the same order, and the engine’s are the listed ones', async () => {
    const { interceptors } = await start();
    const links = interceptors.filter((each) => each instanceof EdgeInterceptor).map(({ name }) => name);
    const engine = helix.app.nest.get(WorkflowEngine).chain.map(({ name }) => name);
    expect(links).toEqual([...chainOrder]);
    expect(engine).toEqual([...chainOrder]);
  });

  it('admission comes before them, and its policies judge in the engine’s order', async () => {
    const { guards } = await start();
    const [size, policy] = guards;
    expect(size).toBeInstanceOf(BodySizeGuard);
    expect(policy).toBeInstanceOf(PolicyGuard);
    const policies = policy instanceof PolicyGuard ? policy.policies : [];
    expect(policies).toEqual(policyOrder.filter((name) => policies.includes(name)));
    expect(policies).toEqual(['ip-allowlist', 'rate-limit']);
  });

  it('the links do at the edge what they do at a step: count, trace under the request’s id', async () => {
    await start();
    const answer = await fetch(`${helix.url}/health/live`, { headers: { 'x-request-id': 'a-request-id' } });
    await answer.text();
    const metrics = await (await fetch(`${helix.url}/metrics`)).text();
    expect(metrics).toMatch(/helix_step_attempts_total\{workflow="@rest",keyword="http",outcome="ok"\} \d+/);
    const traced = helix
      .logged()
      .split('\n')
      .filter((line) => line.includes('step done') && line.includes('a-request-id'));
    expect(traced).toHaveLength(1);
    expect(traced[0]).toContain('@rest');
  });
});
