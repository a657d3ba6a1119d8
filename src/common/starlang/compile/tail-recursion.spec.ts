import { describe, expect, it } from 'vitest';
import { compile } from '../index.js';

const run = (source: string, backend: 'closures' | 'generated') =>
  compile(source, { backend }).run({ payload: null }).value;

describe.each(['closures', 'generated'] as const)('@TailRec (%s)', (backend) => {
  it.each([
    ['fun f(n, acc = 0) = if (n == 0) acc else f(n - 1, acc + n)\n---\nf(20000)', 200010000],
    [
      'fun f(n: Number, acc: Number): Number = if (n == 0) acc else f(n - 1, acc + n)\n---\nf(20000, 0)',
      200010000,
    ],
    ['fun f(n) = n match { case 0 -> "end" else -> f($ - 1) }\n---\nf(20000)', 'end'],
    ['fun f(n) = do { var m = n - 1 --- if (m <= 0) n else m f2 1 }\nfun f2(a, b) = a + b\n---\nf(3)', 3],
    ['fun f(n) = do { var m = n - 1 --- unless (m > 0) m else f(m) }\n---\nf(20000)', 0],
    ['fun f(n) = using (m = n - 1) if (m > 0) f(m) else m\n---\nf(20000)', 0],
    ['fun f(a, b) = if (a <= 0) b else (a - 1) f (b + 1)\n---\nf(20000, 0)', 20000],
    // The last of these is no tail call, and must still be right.
    ['fun f(n) = if (n == 0) 0 else 1 + f(n - 1)\n---\nf(50)', 50],
    ['fun f(n) = do { fun f(m) = m * 2 --- f(n) }\n---\nf(4)', 8],
    ['fun f(n) = n match { case f is Number -> f else -> 0 }\n---\nf(7)', 7],
  ])('%s', (source, value) => {
    expect(run(`@TailRec()\n${source}`, backend)).toBe(value);
  });

  it('keeps the limit of depth for every other function', () => {
    expect(() => run('fun f(n) = if (n == 0) 0 else f(n - 1)\n---\nf(5000)', backend)).toThrow(
      /nested deeper/,
    );
    expect(() => run('@TailRec() fun f(n) = if (n == 0) 0 else 1 + f(n - 1)\n---\nf(5000)', backend)).toThrow(
      /nested deeper/,
    );
  });

  it('is stopped by the budget of steps when it has no end', () => {
    const endless = compile('@TailRec() fun f(n) = f(n + 1)\n---\nf(1)', {
      backend,
      limits: { steps: 10_000 },
    });
    expect(() => endless.run()).toThrow(/more than 10000 steps/);
  });
});
