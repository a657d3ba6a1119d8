import { describe, expect, it } from 'vitest';
import { compile, prepare } from '../index.js';

const run = (payload: unknown) => compile('payload.a.b').run({ payload }).value;

describe('an input', () => {
  it('is looked over before every run', () => {
    const payload: { a: { b: unknown } } = { a: { b: 1 } };
    expect(run(payload)).toBe(1);
    payload.a.b = () => 'of the host';
    expect(run(payload)).toBeNull();
    payload.a = Object.assign(Object.create({ b: 'inherited' }) as { b: unknown }, {});
    expect(run(payload)).toBeNull();
  });

  it('that was prepared is taken as it is', () => {
    const payload = prepare({ a: { b: 1 }, f: () => 1 });
    expect(run(payload)).toBe(1);
    expect(payload).toEqual({ a: { b: 1 } });
    expect(compile('payload').run({ payload }).value).toBe(payload);
  });
});
