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

  it('is looked over once when the host keeps it and it is large', () => {
    const script = compile('payload[0].a', { keepsInputs: true });
    const payload: { a: unknown }[] = Array.from({ length: 100 }, () => ({ a: 1 }));
    expect(script.run({ payload }).value).toBe(1);
    payload[0] = { a: 2 };
    expect(script.run({ payload }).value).toBe(2);
    const small: { a: unknown }[] = [{ a: 1 }];
    expect(script.run({ payload: small }).value).toBe(1);
    small[0] = { a: () => 'of the host' };
    expect(script.run({ payload: small }).value).toBeNull();
  });

  it('holds nothing with behaviour, in lists neither', () => {
    const payload = { list: [() => 1, Symbol('s'), undefined, 1], set: new Set([() => 1]) };
    expect(compile('payload.list').run({ payload }).value).toEqual([null, null, null, 1]);
    expect(compile('payload.set').run({ payload }).value).toEqual([null]);
  });

  it('that was prepared is taken as it is', () => {
    const payload = prepare({ a: { b: 1 }, f: () => 1 });
    expect(run(payload)).toBe(1);
    expect(payload).toEqual({ a: { b: 1 } });
    expect(compile('payload').run({ payload }).value).toBe(payload);
  });
});
