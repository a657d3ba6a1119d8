import { describe, expect, it } from 'vitest';
import { hashRequest } from './request-hash.js';
import type { CallRequest } from './tool-call.js';

const request: CallRequest = {
  toolId: 'echo',
  input: { a: 1, b: { c: [1, 2], d: 'x' } },
  funding: 'auto',
  maxCostMicros: null,
  projectId: null,
};
const hex = (changes: Partial<CallRequest>) => hashRequest({ ...request, ...changes }).toString('hex');

describe('the hash of a request', () => {
  it('does not depend on the order of members or the spelling of numbers', () => {
    const input = JSON.parse('{"b":{"d":"x","c":[1.0,2e0]},"a":1}') as Record<string, unknown>;
    expect(hex({ input })).toBe(hex({}));
  });

  it('depends on everything that was asked for', () => {
    const hashes = [
      hex({}),
      hex({ toolId: 'other' }),
      hex({ funding: 'hlix' }),
      hex({ maxCostMicros: 0 }),
      hex({ projectId: 'prj_1' }),
      hex({ input: { a: 1, b: { c: [1, 2], d: 'y' } } }),
      hex({ input: { a: 1, b: { c: [2, 1], d: 'x' } } }),
      hex({ input: { a: '1', b: { c: [1, 2], d: 'x' } } }),
      hex({ input: {} }),
      hex({ input: JSON.parse('{"__proto__":{}}') as Record<string, unknown> }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('is refused to text that cannot be stored as it is', () => {
    const fields = [expect.objectContaining({ path: '/input', code: 'lone_surrogate' })];
    expect(() => hex({ input: { a: ['\ud800'] } })).toThrow(expect.objectContaining({ fields }));
  });

  it('never changes for what is stored', () => {
    expect(hex({})).toBe('5b574bf60ecf386a48094bc8c9f008453dd7c7481a09824e1967752018eb4a40');
  });
});
