import { afterEach, describe, expect, it } from 'vitest';
import { Client, type RestStory, startRest } from './support/client.js';

let story: RestStory;
afterEach(() => story.close());

const list = '/v1/api/tool-calls';

describe('the door of the API', () => {
  it('lets in the addresses of its list alone, before it asks for a key', async () => {
    story = await startRest({ env: { HELIX_IP_ALLOWLIST: '192.0.2.0/24,203.0.113.7', TRUST_PROXY: '1' } });
    const ann = await story.owner();
    const from = (address: string, client = ann) => client.get(list, { 'x-forwarded-for': address });
    expect((await from('192.0.2.200')).status).toBe(200);
    expect((await from('::ffff:203.0.113.7')).status).toBe(200);
    const outside = await from('198.51.100.1', ann.with(undefined));
    expect([outside.status, Client.code(outside)]).toEqual([403, 'ip_not_allowed']);
    expect((await from('192.0.2.1, 198.51.100.1')).status).toBe(403);
    expect((await ann.get('/health/live')).status).toBe(200);
  });

  it('lets each key ask so often a minute, and says when to come back', async () => {
    story = await startRest({ env: { HELIX_RATE_LIMIT: '3' } });
    const ann = await story.owner();
    const bob = await story.owner();
    for (const left of [2, 1, 0]) {
      const { status, headers } = await ann.get(list);
      expect(status).toBe(200);
      expect(headers.get('ratelimit-policy')).toBe('"requests";q=3;w=60');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"requests";r=${left};t=\\d+$`));
    }
    const refused = await ann.get(list);
    expect([refused.status, Client.code(refused)]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
    expect((await bob.get(list)).status).toBe(200);
    expect((await ann.get('/health/live')).status).toBe(200);
  });
});
