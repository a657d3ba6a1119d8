import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';

class Collision extends Error {}

function batcher(flush: (items: readonly number[]) => Promise<readonly number[]>) {
  const fallbacks: number[] = [];
  const made = new Batcher<number, number>({
    flush,
    isRepeatable: (error) => error instanceof Collision,
    onFallback: (_, size) => fallbacks.push(size),
  });
  return { made, fallbacks };
}

describe('Batcher', () => {
  it('sends what arrives during a flush as one batch, and answers each by its place', async () => {
    const batches: (readonly number[])[] = [];
    let release!: () => void;
    const first = new Promise<void>((resolve) => (release = resolve));
    const { made } = batcher(async (items) => {
      batches.push(items);
      if (batches.length === 1) await first;
      return items.map((item) => item * 10);
    });
    const one = made.add(1);
    await Promise.resolve();
    await Promise.resolve();
    const rest = [made.add(2), made.add(3), made.add(4)];
    release();
    expect(await Promise.all([one, ...rest])).toEqual([10, 20, 30, 40]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('never sends more than 256 at once', async () => {
    const sizes: number[] = [];
    const { made } = batcher(async (items) => {
      sizes.push(items.length);
      return items;
    });
    await Promise.all(Array.from({ length: 600 }, (_, item) => made.add(item)));
    expect(Math.max(...sizes)).toBe(256);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(600);
  });

  it('lets one bad item fail alone', async () => {
    const { made, fallbacks } = batcher(async (items) => {
      if (items.includes(13)) throw new Error('poison');
      return items;
    });
    const outcomes = await Promise.allSettled([made.add(1), made.add(13), made.add(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(fallbacks).toEqual([3]);
  });

  it('tries once more after a deadlock, and goes on afterwards', async () => {
    let tries = 0;
    const { made, fallbacks } = batcher(async (items) => {
      tries += 1;
      if (tries === 1) throw new Collision();
      return items;
    });
    expect(await Promise.all([made.add(1), made.add(2)])).toEqual([1, 2]);
    expect(await made.add(3)).toBe(3);
    expect(fallbacks).toEqual([2]);
  });
});
