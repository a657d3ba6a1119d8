import { describe, expect, it } from 'vitest';
import type { Applicant, Policy } from '../api/policy.js';
import { HelixError } from '../errors/helix-error.js';
import { AddressSet } from './address-set.js';
import { admitAll } from './admit-all.js';
import { ApiKeyPolicy } from './api-key.policy.js';
import { clientAddress } from './client-address.js';
import { IpAllowlistPolicy } from './ip-allowlist.policy.js';
import { RateLimitPolicy } from './rate-limit.policy.js';
import { TokenBuckets } from './token-bucket.js';
import { TrustedProxyPolicy } from './trusted-proxy.policy.js';

const applicant = (peer: string, headers: Record<string, string> = {}): Applicant => ({
  peer,
  header: (name) => headers[name.toLowerCase()],
});
const none = new AddressSet([]);

describe('the client address', () => {
  const trusted = new AddressSet(['10.0.0.0/8', '192.0.2.1']);
  const via = (peer: string, chain: string): string =>
    clientAddress(applicant(peer, { 'x-forwarded-for': chain }), trusted);

  it('is the peer when the peer is no trusted proxy, whatever the header says', () => {
    expect(via('203.0.113.9', '127.0.0.1')).toBe('203.0.113.9');
  });

  it('is the right-most address that is no trusted proxy', () => {
    expect(via('10.0.0.1', '127.0.0.1, 198.51.100.4, 192.0.2.1, 10.9.9.9')).toBe('198.51.100.4');
  });

  it('stops at a broken entry rather than believing what stands left of it', () => {
    expect(via('10.0.0.1', '198.51.100.4, unknown, 10.2.2.2')).toBe('10.2.2.2');
  });

  it.each([
    ['198.51.100.4:4711', '198.51.100.4'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['::ffff:198.51.100.4', '198.51.100.4'],
    ['', '10.0.0.1'],
  ])('reads "%s" as %s', (chain, address) => {
    expect(via('10.0.0.1', chain)).toBe(address);
  });
});

describe('the IP allowlist', () => {
  const policy = new IpAllowlistPolicy(new AddressSet(['127.0.0.1', '198.51.100.0/24']), none);
  const code = (peer: string): string | undefined => policy.admit(applicant(peer))?.code;

  it('lets listed addresses in and refuses all others', () => {
    expect(code('198.51.100.9')).toBeUndefined();
    expect(code('::ffff:127.0.0.1')).toBeUndefined();
    expect(code('203.0.113.1')).toBe('ACCESS.IP_NOT_ALLOWED');
    expect(code('')).toBe('ACCESS.IP_NOT_ALLOWED');
  });

  it('does not take a forwarded address from a peer that is no trusted proxy', () => {
    const spoofed = applicant('203.0.113.1', { 'x-forwarded-for': '127.0.0.1' });
    expect(policy.admit(spoofed)?.code).toBe('ACCESS.IP_NOT_ALLOWED');
  });

  it('does not take a tunnel end for the private address written inside it', () => {
    expect(code('2002:7f00:1::1')).toBe('ACCESS.IP_NOT_ALLOWED');
    expect(code('64:ff9b::7f00:1')).toBe('ACCESS.IP_NOT_ALLOWED');
  });

  it('knows a public address through a tunnel', () => {
    const open = new IpAllowlistPolicy(new AddressSet(['8.8.8.8']), none);
    expect(open.admit(applicant('2002:0808:0808::1'))).toBeNull();
  });
});

describe('the API key', () => {
  const policy = new ApiKeyPolicy(['first-key', 'second-key']);
  const principal = (headers: Record<string, string>): string | null =>
    policy.principal(applicant('203.0.113.1', headers));

  it('is taken from either header, and names the same principal', () => {
    const viaBearer = principal({ authorization: 'bearer second-key' });
    expect(viaBearer).toMatch(/^key-[0-9a-f]{12}$/);
    expect(principal({ 'x-api-key': 'second-key' })).toBe(viaBearer);
    expect(principal({ 'x-api-key': 'first-key' })).not.toBe(viaBearer);
    expect(new ApiKeyPolicy(['second-key']).principal(applicant('', { 'x-api-key': 'second-key' }))).toBe(
      viaBearer,
    );
  });

  it.each([
    ['none', {}],
    ['a wrong one', { 'x-api-key': 'third-key' }],
    ['a wrong one of the same length', { 'x-api-key': 'first-kez' }],
    ['an empty one', { 'x-api-key': '' }],
    ['two joined', { 'x-api-key': 'first-key, first-key' }],
    ['another scheme', { authorization: 'Basic first-key' }],
    ['two valid but different ones', { authorization: 'Bearer first-key', 'x-api-key': 'second-key' }],
    ['an empty one beside a valid one', { authorization: 'Bearer first-key', 'x-api-key': '' }],
    ['the name of a property', { 'x-api-key': '__proto__' }],
  ])('refuses %s', (_, headers) => {
    const refusal = policy.admit(applicant('203.0.113.1', headers));
    expect(refusal?.code).toBe('ACCESS.UNAUTHENTICATED');
    expect(refusal?.details).toEqual({ challenge: 'Bearer' });
  });

  it('judges each request by itself, however they alternate', () => {
    const good = applicant('', { 'x-api-key': 'first-key' });
    const bad = applicant('', { 'x-api-key': 'no-key' });
    const other = applicant('', { 'x-api-key': 'second-key' });
    const names = [good, bad, good, other, bad, good].map((each) => policy.principal(each));
    const [first, , , second] = names;
    expect(names).toEqual([first, null, first, second, null, first]);
    expect(new Set([first, second, null]).size).toBe(3);
  });

  it('never shows a key in a refusal', () => {
    const refusal = policy.admit(applicant('', { 'x-api-key': 'third-key' }));
    expect(JSON.stringify([refusal?.message, refusal?.details])).not.toMatch(/(first|second|third)-key/);
  });
});

describe('the rate limit', () => {
  const at = { ms: 0 };
  const clock = { now: (): number => at.ms };
  const limit = (perMinute: number): RateLimitPolicy =>
    new RateLimitPolicy({ perMinute, clock, principal: (who) => who.peer });

  it('refuses the request after the last token and says how long to wait', () => {
    const policy = limit(3);
    for (let i = 0; i < 3; i++) expect(policy.admit(applicant('a'))).toBeNull();
    const refusal = policy.admit(applicant('a'));
    expect(refusal?.code).toBe('ACCESS.RATE_LIMITED');
    expect(refusal?.details).toEqual({ retryAfterSeconds: 20 });
    expect(policy.admit(applicant('b'))).toBeNull();
    at.ms += 20_000;
    expect(policy.admit(applicant('a'))).toBeNull();
    expect(policy.admit(applicant('a'))).not.toBeNull();
  });

  it('refills evenly, not by the minute', () => {
    const buckets = new TokenBuckets(60, clock);
    for (let i = 0; i < 60; i++) expect(buckets.take('a')).toBe(0);
    expect(buckets.take('a')).toBe(1000);
    at.ms += 500;
    expect(buckets.take('a')).toBe(500);
    at.ms += 500;
    expect(buckets.take('a')).toBe(0);
  });

  it('never holds more than a minute of tokens and does not mind a clock that goes back', () => {
    const buckets = new TokenBuckets(2, clock);
    buckets.take('a');
    at.ms += 3_600_000;
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 0]);
    at.ms -= 3_600_000;
    expect(buckets.take('a')).toBeGreaterThan(0);
  });

  it('counts a batch by its calls, all or none', () => {
    const policy = limit(10);
    expect(policy.charge(applicant('a'), 8)).toBeNull();
    expect(policy.charge(applicant('a'), 3)?.code).toBe('ACCESS.RATE_LIMITED');
    expect(policy.charge(applicant('a'), 2)).toBeNull();
  });

  it('remembers a bounded number of principals', () => {
    const buckets = new TokenBuckets(1, clock, 100);
    for (let i = 0; i < 1000; i++) buckets.take(`principal ${i}`);
    expect(buckets.size).toBe(100);
    expect(buckets.take('principal 999')).toBeGreaterThan(0);
  });
});

describe('several policies', () => {
  const refusal = new HelixError('ACCESS.IP_NOT_ALLOWED', 'no');
  const asked: string[] = [];
  const policy = (name: string, verdict: HelixError | null, late = false): Policy => ({
    name,
    admit: () => {
      asked.push(name);
      return late ? Promise.resolve(verdict) : verdict;
    },
  });

  it('are asked in order until one refuses', async () => {
    const verdict = admitAll(
      [policy('1', null), policy('2', null, true), policy('3', refusal), policy('4', null)],
      applicant(''),
    );
    expect(await verdict).toBe(refusal);
    expect(asked).toEqual(['1', '2', '3']);
  });

  it('answer in the same turn when none has to wait', () => {
    expect(admitAll([policy('1', null), policy('2', null)], applicant(''))).toBeNull();
  });

  it('are not asked of a trusted proxy, by its network address alone', () => {
    const gateway = new TrustedProxyPolicy(new AddressSet(['10.0.0.1']), [policy('inner', refusal)]);
    expect(gateway.admit(applicant('::ffff:10.0.0.1'))).toBeNull();
    expect(gateway.admit(applicant('203.0.113.1', { 'x-forwarded-for': '10.0.0.1' }))).toBe(refusal);
  });
});
