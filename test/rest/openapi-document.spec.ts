import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.js';

let helix: TestApp;

beforeAll(async () => {
  helix = await startTestApp({
    env: {
      HELIX_PUBLIC_URL: 'https://server.hlix.ai',
      HELIX_WORKFLOWS: fileURLToPath(new URL('./workspace', import.meta.url)),
    },
  });
});
afterAll(() => helix.close());

/*
 * Integrators generate SDKs from these files, so a change of the API must show in review. `npm run openapi` writes them
 * anew.
 */
it.each([
  ['openapi.json', 'helix-3.1.json'],
  ['openapi-3.0.json', 'helix-3.0.json'],
])('/%s is what docs/openapi/%s says', async (path, file) => {
  const document: unknown = await (await fetch(`${helix.url}/${path}`)).json();
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(`../../docs/openapi/${file}`);
});
