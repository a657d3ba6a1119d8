import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../common/engine/testing/manual-clock.js';
import { Patience } from './patience.js';

const waiting = (timeoutMs: number) => {
  const clock = new ManualClock();
  const patience = new Patience(timeoutMs, clock);
  const ended: string[] = [];
  return { clock, patience, ended, wait: (name: string) => patience.wait(() => ended.push(name)) };
};

describe('patience', () => {
  it('ends for each so long after it began, by one timer', async () => {
    const { clock, ended, wait } = waiting(100);
    wait('a');
    await clock.advance(60);
    wait('b');
    wait('c');
    expect(clock.pending).toBe(1);
    await clock.advance(39);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual(['a']);
    await clock.advance(60);
    expect([ended, clock.pending]).toEqual([['a', 'b', 'c'], 0]);
  });

  it('does not end for who went before, and leaves no timer when all have gone', async () => {
    const { clock, ended, wait } = waiting(100);
    const leave = wait('a');
    await clock.advance(50);
    const leaveToo = wait('b');
    leave();
    leave();
    await clock.advance(99);
    expect([ended, clock.pending]).toEqual([[], 1]);
    leaveToo();
    expect(clock.pending).toBe(0);
  });

  it('lets who gives up end the wait of another', async () => {
    const { clock, patience, ended } = waiting(100);
    const leave: (() => void)[] = [];
    patience.wait(() => leave.forEach((each) => each()));
    leave.push(patience.wait(() => ended.push('never')));
    await clock.advance(100);
    expect([ended, clock.pending]).toEqual([[], 0]);
  });

  it('has no end where there is no time-out', async () => {
    const { clock, ended, wait } = waiting(0);
    wait('a');
    await clock.advance(1e9);
    expect([ended, clock.pending]).toEqual([[], 0]);
  });
});
