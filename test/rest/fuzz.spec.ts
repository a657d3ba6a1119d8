import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import type { OpenApiDocument } from '../support/documented-api.js';
import { documentedApi, fetchDocumented } from '../support/fetch-documented.js';
import { type Client, type RestStory, startRest } from './support/client.js';
import { RequestsOf } from './support/requests-of.js';

/*
 * Every operation of the served document, asked with requests made from the document and with bent ones, by an owner, a
 * member and nobody. Whatever is asked, the answer is one that the document names, and never a 500. Each
 * operation is asked TEST_FUZZ_RUNS times, beginning at TEST_FUZZ_SEED: by hand, take thousands and any seed.
 */
const numRuns = Number(process.env['TEST_FUZZ_RUNS'] ?? 10);
const seed = Number(process.env['TEST_FUZZ_SEED'] ?? 4711);

let story: RestStory;
let document: OpenApiDocument;
/** How often each status was answered. */
const statuses = new Map<number, number>();

beforeAll(async () => {
  console.log(`Fuzzing with TEST_FUZZ_SEED=${seed} TEST_FUZZ_RUNS=${numRuns}`);
  const folder = fileURLToPath(new URL('./workspace', import.meta.url));
  story = await startRest({
    module: AppModule,
    env: { HELIX_WORKFLOWS: folder, HELIX_CALL_WAIT_MS: '1000' },
  });
  document = (await documentedApi(story.helix.url)).document;
}, 120_000);
afterAll(() => story.close());

/** @returns the smallest request that was answered otherwise than documented, with its seed; null where none was */
async function fuzz(template: string, method: string): Promise<string | null> {
  const operation = document.paths[template]?.[method];
  if (operation === undefined) throw new Error('There is no such operation.');
  const owner = await story.owner();
  const member = await story.member(owner, 'member');
  // The owner most often, who gets furthest.
  const asking: readonly Client[] = [owner, owner, owner, member, owner.with(undefined)];
  const known = [owner.organizationId, owner.userId, member.userId, 'greet', 'treg:a.b.c'];
  const requests = new RequestsOf(document, known).arbitrary(template, operation);
  const property = fc.asyncProperty(requests, fc.nat(4), async ({ path, headers, body }, who) => {
    const apiKey = asking[who]?.apiKey;
    const answer = await fetchDocumented(story.helix.url + path, {
      method: method.toUpperCase(),
      headers: { ...headers, ...(apiKey !== undefined && { 'x-api-key': apiKey }) },
      ...(body !== undefined && method !== 'get' && { body }),
    });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500 && answer.status !== 503)
      throw new Error(`${operation.operationId} → ${answer.status}: ${await answer.text()}`);
  });
  const found = await fc.check(property, { seed, numRuns });
  return found.failed ? (fc.defaultReportMessage(found) ?? 'failed') : null;
}

describe('hostile: any request', () => {
  it('gets an answer that the document names, never a 500', { timeout: 3_600_000 }, async () => {
    const operations = Object.entries(document.paths).flatMap(([template, item]) =>
      Object.keys(item).map((method) => [template, method] as const),
    );
    expect(operations.length).toBeGreaterThan(60);
    const found: string[] = [];
    for (const [template, method] of operations) {
      const fault = await fuzz(template, method);
      if (fault !== null) found.push(fault);
    }
    console.log(`Answered: ${JSON.stringify([...statuses])}`);
    expect(found).toEqual([]);
    // Both fitting and bent requests got through.
    for (const status of [200, 201, 400, 401, 403, 404]) expect([...statuses.keys()]).toContain(status);
  });

  it('leaves the server as it was: alive, with nothing in its log that failed', async () => {
    expect((await fetch(`${story.helix.url}/health/live`)).status).toBe(200);
    const failed = story.helix
      .logged()
      .split('\n')
      .filter((line) => line.includes('A request failed.'));
    expect(failed).toEqual([]);
  });
});
