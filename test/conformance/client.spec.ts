import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleForNode } from '../support/bundle.js';
import { clientScenarios, installReferee, judgeClient, type Verdict } from './referee.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 400_000 });

/** How many scenarios the suite has for a client, those it does not score included, and how many of them are passed. */
const eras = [
  { revision: '2025-11-25', scenarios: 25, passed: 4 },
  { revision: '2026-07-28', scenarios: 39, passed: 7 },
] as const;

/** What is not passed and so not run, and why. */
const expectedFailures: readonly { readonly scenario: RegExp; readonly reason: string }[] = [
  {
    scenario: /^auth\//,
    reason:
      'mcp:// sends a token it is given (bearer, headers); it is no OAuth client that gets one by itself.',
  },
  {
    scenario: /^json-schema-2020-12-preservation$/,
    reason: 'Wants the listed schema sent back as an argument; mcp:// calls tools and shows no list of them.',
  },
];

let folder: string;
let driver: string;
let referee: string;
/** Why the suite is not here, if it is not. */
let absence: string | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-conformance-'));
  try {
    referee = await installReferee();
  } catch (thrown) {
    absence = `The conformance suite cannot be installed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    return;
  }
  driver = await bundleForNode('test/conformance/client-driver.ts');
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.each(eras)('the official suite for clients of MCP $revision', ({ revision, scenarios, passed }) => {
  it(`is passed in ${passed} of ${scenarios} scenarios, all that need no OAuth client`, async (context) => {
    if (absence !== null) return context.skip(absence);
    const known = await clientScenarios(referee, revision);
    const wanted = known.filter((name) => !expectedFailures.some(({ scenario }) => scenario.test(name)));
    expect([known.length, wanted.length]).toEqual([scenarios, passed]);
    const verdicts: Verdict[] = [];
    for (const name of wanted)
      verdicts.push(...(await judgeClient(referee, driver, revision, name, join(folder, revision, name))));
    expect(verdicts.filter(({ faults }) => faults.length > 0)).toEqual([]);
    expect(verdicts).toHaveLength(passed);
  });
});
