import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { HelixError } from '../errors/helix-error.js';
import { Cancellation, whenAborted } from './cancellation.js';

const late = new HelixError('ENGINE.TIMED_OUT', 'late');

describe('a cancellation', () => {
  it('keeps its first reason, and tells those who wait in the order in which they came, each once', () => {
    const told: string[] = [];
    const cancellation = new Cancellation();
    whenAborted(cancellation, () => told.push('a'));
    const forget = whenAborted(cancellation, () => told.push('b'));
    whenAborted(cancellation, () => told.push('c'));
    forget();
    cancellation.abort(late);
    cancellation.abort(new Error('too late'));
    expect([told, cancellation.reason]).toEqual([['a', 'c'], late]);
  });

  it('tells at once whoever comes afterwards', () => {
    const cancellation = new Cancellation();
    cancellation.abort(late);
    let told = 0;
    whenAborted(cancellation, () => told++)();
    expect(told).toBe(1);
  });

  it('lets those who are told take others back', () => {
    const told: string[] = [];
    const cancellation = new Cancellation();
    const taken: (() => void)[] = [];
    whenAborted(cancellation, () => taken.forEach((take) => take()));
    taken.push(whenAborted(cancellation, () => told.push('taken back')));
    whenAborted(cancellation, () => told.push('told'));
    cancellation.abort(late);
    expect(told).toEqual(['told']);
  });

  it('is aborted with what it follows, whether or not anybody waited', () => {
    const [signal, parent] = [new AbortController(), new Cancellation()];
    const watched = new Cancellation([signal.signal, parent]);
    const unwatched = new Cancellation([signal.signal, parent]);
    let told = 0;
    whenAborted(watched, () => told++);
    parent.abort(late);
    expect([told, watched.aborted, unwatched.aborted, unwatched.reason]).toEqual([1, true, true, late]);
  });

  it('says why in words of the table where the platform aborted', () => {
    const signal = new AbortController();
    const cancellation = new Cancellation([signal.signal]);
    signal.abort();
    expect(cancellation.reason).toMatchObject({ code: 'ENGINE.CANCELLED' });
  });

  it('is a signal for whoever asks, before and after', () => {
    const parent = new Cancellation();
    const before = new Cancellation([parent]).signal;
    parent.abort(late);
    expect([before.aborted, before.reason]).toEqual([true, late]);
    expect(new Cancellation([parent]).signal.reason).toBe(late);
  });

  it('leaves nothing on what it followed once it is released, whoever asks later', () => {
    const { signal } = new AbortController();
    const released = Array.from({ length: 100 }, () => new Cancellation([signal]));
    for (const each of released) {
      whenAborted(each, () => undefined);
      each.release();
      whenAborted(each, () => undefined);
    }
    // One listener for all of them, however many there were.
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    expect(released[0]?.signal.aborted).toBe(false);
  });
});
