import { describe, expect, it } from 'vitest';
import { FailedAttempts } from './failed-attempts.js';

const codesOf = (attempts: FailedAttempts, address: string, count: number) =>
  Array.from({ length: count }, () => attempts.refusal(address).code);

describe('FailedAttempts', () => {
  it('refuses the twentieth wrong credential in a row and says how long to wait', () => {
    const attempts = new FailedAttempts(() => 0);
    expect(new Set(codesOf(attempts, '192.0.2.1', 19))).toEqual(new Set(['ACCESS.UNAUTHENTICATED']));
    const refusal = attempts.refusal('192.0.2.1');
    expect(refusal.code).toBe('ACCESS.RATE_LIMITED');
    expect(refusal.details.retryAfterSeconds).toBe(4);
    expect(attempts.refusal('192.0.2.2').code).toBe('ACCESS.UNAUTHENTICATED');
  });

  it('allows one more after the wait', () => {
    let now = 0;
    const attempts = new FailedAttempts(() => now);
    codesOf(attempts, '192.0.2.1', 19);
    now = 4_000;
    expect(codesOf(attempts, '192.0.2.1', 2)).toEqual(['ACCESS.UNAUTHENTICATED', 'ACCESS.RATE_LIMITED']);
  });

  it('takes the addresses of one IPv6 network for one client', () => {
    const attempts = new FailedAttempts(() => 0);
    for (let host = 1; host < 20; host += 1) attempts.refusal(`2001:db8::${host}`);
    expect(attempts.refusal('2001:db8::ffff').code).toBe('ACCESS.RATE_LIMITED');
    expect(attempts.refusal('2001:db8:0:1::1').code).toBe('ACCESS.UNAUTHENTICATED');
  });
});
