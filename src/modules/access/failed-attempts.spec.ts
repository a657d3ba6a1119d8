import { describe, expect, it } from 'vitest';
import { FailedAttempts } from './failed-attempts.js';

describe('FailedAttempts', () => {
  it('refuses the twentieth wrong credential in a row and says how long to wait', () => {
    const attempts = new FailedAttempts(() => 0);
    for (let count = 1; count < 20; count += 1) expect(attempts.note('192.0.2.1')).toBe(0);
    expect(attempts.note('192.0.2.1')).toBe(3);
    expect(attempts.isExhausted('192.0.2.1')).toBe(true);
    expect(attempts.note('192.0.2.2')).toBe(0);
  });

  it('allows one more after the wait', () => {
    let now = 0;
    const attempts = new FailedAttempts(() => now);
    for (let count = 0; count < 19; count += 1) attempts.note('192.0.2.1');
    now = 3_000;
    expect(attempts.note('192.0.2.1')).toBe(0);
    expect(attempts.note('192.0.2.1')).toBe(3);
  });

  it('does not take a clock that jumps back for time that passed', () => {
    let now = 10_000_000;
    const attempts = new FailedAttempts(() => now);
    for (let count = 0; count < 19; count += 1) attempts.note('192.0.2.1');
    now = 0;
    expect(attempts.note('192.0.2.1')).toBeGreaterThan(0);
  });
});
