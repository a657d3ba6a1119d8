import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ProbeModule } from './probe.module.js';

let helix: TestApp;
beforeAll(async () => {
  helix = await startTestApp({ module: ProbeModule });
});
afterAll(() => helix.close());

test('probes and scrapers are answered without a key', async () => {
  const live = await fetch(`${helix.url}/health/live`);
  expect([live.status, await live.json()]).toEqual([200, { status: 'ok', checks: {} }]);

  const ready = await fetch(`${helix.url}/health/ready`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({ status: 'ok', checks: { database: { state: 'ok' } } });

  const metrics = await fetch(`${helix.url}/metrics`);
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await metrics.text()).toMatch(/^helix_http_requests_total\{method="GET",status="200"\} \d+$/m);
});

test('the documents and Swagger UI are served without a key and without the network', async () => {
  const newer = (await (await fetch(`${helix.url}/openapi.json`)).json()) as { openapi: string };
  const older = (await (await fetch(`${helix.url}/openapi-3.0.json`)).json()) as { openapi: string };
  expect([newer.openapi, older.openapi]).toEqual(['3.1.1', '3.0.3']);

  const page = await fetch(`${helix.url}/docs`);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).not.toMatch(/(src|href)="https?:/);
  for (const [, source] of html.matchAll(/src="([^"]+)"/g)) {
    const script = await fetch(new URL(source ?? '', `${helix.url}/docs`));
    expect([source, script.status]).toEqual([source, 200]);
  }
});
