import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HelixProgram, type Running } from '../cli/helix-process.js';
import { bundleForNode } from '../support/bundle.js';
import { freePort } from '../support/free-port.js';
import { makeTestDatabase, type TestDatabase } from '../support/test-app.js';
import { findChromium } from './find-chromium.js';

const executablePath = findChromium();
if (executablePath === null) console.log('The browser story is skipped: there is no Chromium on the PATH.');

const root = join(import.meta.dirname, '..', '..');
/** For whoever wants to see it; each run writes it anew. */
const screenshot = join(tmpdir(), 'helix-swagger-ui.png');

describe.skipIf(executablePath === null)('Swagger UI', () => {
  let folder: string;
  let database: TestDatabase;
  let server: Running;
  let browser: Browser;
  let page: Page;
  let api: { apiUrl: string; apiKey: string; email: string; password: string };
  const foreign: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helix-browser-'));
    database = await makeTestDatabase();
    const helix = new HelixProgram(
      await bundleForNode('src/cli.ts'),
      {
        HELIX_HOME: folder,
        DATABASE_URL: database.url,
        HELIX_KEYRING: database.keyring,
        HELPDESK_HTTP: `127.0.0.1:${await freePort()}`,
        HELPDESK_MCP: `127.0.0.1:${await freePort()}`,
        PORT: '0',
      },
      folder,
    );
    server = helix.start(['run', join(root, 'examples', 'helpdesk')]);
    await server.until('Ctrl-C');
    api = JSON.parse(await readFile(join(folder, 'bootstrap.json'), 'utf8')) as typeof api;
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    page.on('request', (request) => {
      if (!request.url().startsWith(api.apiUrl) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('authorizes with the key and calls a tool from the page: 201', async () => {
    await page.goto(`${api.apiUrl}/docs`);
    await page.locator('.auth-wrapper .authorize').click();
    const dialog = page.locator('.modal-ux');
    await dialog.locator('input').first().fill(api.apiKey);
    await dialog.locator('.auth-btn-wrapper .authorize').first().click();
    await dialog.getByText('Authorized', { exact: true }).first().waitFor();
    await dialog.locator('.close-modal').click();

    const operation = page.locator('#operations-Tools-callTool');
    await operation.locator('.opblock-summary-control').click();
    const tryIt = operation.getByRole('button', { name: 'Try it out' });
    // The page opens operations ready to be tried; the button is there only where it does not.
    if ((await tryIt.count()) > 0) await tryIt.click();
    await operation.locator('tr[data-param-name="toolId"] input').fill('search');
    const box = operation.locator('textarea.body-param__text');
    // Ready to be sent: a body with every property would name a project that does not exist.
    expect(Object.keys(JSON.parse(await box.inputValue()) as object)).toEqual(['idempotencyKey', 'input']);
    const body = { idempotencyKey: 'from-the-browser', input: { query: 'How do I rotate a key?', limit: 1 } };
    await box.fill(JSON.stringify(body, null, 2));
    await operation.locator('button.execute').click();

    const answer = operation.locator('.live-responses-table .response').first();
    await answer.locator('.response-col_status').filter({ hasText: '201' }).waitFor();
    const shown = await answer.innerText();
    expect(shown).toContain('"status": "succeeded"');
    expect(shown).toMatch(/"title": "(Rotating a key|helix keys rotate)/);
    await answer.scrollIntoViewIfNeeded();
    await page.screenshot({ path: screenshot });
  }, 120_000);

  it('logs in with the cookie, and calls a tool without a key: 201', async () => {
    const own = await browser.newContext({ viewport: { width: 1280, height: 1600 } });
    const tab = await own.newPage();
    await tab.goto(`${api.apiUrl}/docs`);
    const run = async (operation: string, body: object, fill?: () => Promise<void>) => {
      const block = tab.locator(`#operations-${operation}`);
      await block.locator('.opblock-summary-control').click();
      await fill?.();
      await block.locator('textarea.body-param__text').fill(JSON.stringify(body));
      await block.locator('button.execute').click();
      return block.locator('.live-responses-table .response .response-col_status').first();
    };
    const { email, password } = api;
    await (await run('Sessions-login', { email, password })).filter({ hasText: '200' }).waitFor();
    const body = { idempotencyKey: 'with-the-cookie', input: { query: 'How do I rotate a key?', limit: 1 } };
    const toolId = () =>
      tab.locator('#operations-Tools-callTool tr[data-param-name="toolId"] input').fill('search');
    await (await run('Tools-callTool', body, toolId)).filter({ hasText: '201' }).waitFor();
    const cookies = await own.cookies();
    expect(cookies).toMatchObject([{ name: 'helix_session', httpOnly: true, sameSite: 'Lax' }]);
    await own.close();
  }, 120_000);

  it('shows every operation of the contract under its id', async () => {
    for (const id of [
      'searchTools',
      'describeTool',
      'callTool',
      'listToolCalls',
      'getToolCall',
      'getToolConnection',
      'saveToolConnection',
      'removeToolConnection',
    ])
      expect(await page.locator(`#operations-Tools-${id}`).count()).toBe(1);
  });

  it('needs nothing from anywhere else, and nothing of it is blocked', () => {
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
