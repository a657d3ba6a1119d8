import { describe, expect, it } from 'vitest';
import { readOptions } from '../api/options.js';
import type { Applicant } from '../api/policy.js';
import { EndpointUri } from '../model/endpoint-uri.js';
import { EdgeGuard, guardOptions } from './edge-guard.js';

const guard = (query: string): EdgeGuard => {
  const uri = EndpointUri.parse(`http-server://127.0.0.1:0/x?${query}`);
  return new EdgeGuard(uri, readOptions(uri, guardOptions), { now: () => 0 });
};
const applicant = (peer: string, headers: Record<string, string> = {}): Applicant => ({
  peer,
  header: (name) => headers[name],
});

describe('the guard of an edge', () => {
  it('lets everybody in when nothing is asked', () => {
    expect(guard('').admit(applicant('203.0.113.1'))).toBeNull();
    expect(guard('').caller(applicant('203.0.113.1')).kind).toBe('anonymous');
  });

  it('asks address before key before rate', () => {
    const door = guard('ip_allowlist=203.0.113.0/24&api_keys=a,b&rate_limit=1');
    const verdict = (peer: string, key?: string): unknown =>
      (door.admit(applicant(peer, key ? { 'x-api-key': key } : {})) as { code: string } | null)?.code;
    expect(verdict('198.51.100.1', 'a')).toBe('ACCESS.IP_NOT_ALLOWED');
    expect(verdict('203.0.113.1', 'c')).toBe('ACCESS.UNAUTHENTICATED');
    expect(verdict('203.0.113.1', 'a')).toBeUndefined();
    expect(verdict('203.0.113.2', 'a')).toBe('ACCESS.RATE_LIMITED');
    expect(verdict('203.0.113.1', 'b')).toBeUndefined();
  });

  it('lets a trusted proxy past address and key, yet not past the rate', () => {
    const door = guard('ip_allowlist=203.0.113.1&api_keys=a&trusted_proxies=10.0.0.1&rate_limit=1');
    const gateway = applicant('10.0.0.1', { 'x-forwarded-for': '198.51.100.7' });
    expect(door.admit(gateway)).toBeNull();
    expect(door.caller(gateway)).toMatchObject({ kind: 'gateway', address: '198.51.100.7' });
    expect(door.admit(gateway)).toMatchObject({ code: 'ACCESS.RATE_LIMITED' });
  });

  it('gives all addresses of one IPv6 network one bucket', () => {
    const door = guard('rate_limit=1');
    expect(door.admit(applicant('2001:db8::1'))).toBeNull();
    expect(door.admit(applicant('2001:db8::2'))).toMatchObject({ code: 'ACCESS.RATE_LIMITED' });
    expect(door.admit(applicant('2001:db8:0:1::1'))).toBeNull();
  });

  it.each(['api_keys=', 'ip_allowlist=,'])('refuses "%s", which would let everybody in', (query) => {
    expect(() => guard(query)).toThrow(/given but empty/);
  });
});
