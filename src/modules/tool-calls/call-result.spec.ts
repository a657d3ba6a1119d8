import { describe, expect, it } from 'vitest';
import { storeResult } from './call-result.js';

describe('storing a result', () => {
  it('keeps NUL, lone surrogates and members called __proto__', () => {
    const result = JSON.parse('{"__proto__":{"x":1},"text":"\\u0000 \\ud800"}') as unknown;
    const { json, truncated } = storeResult(result, 1_000);
    expect(truncated).toBe(false);
    expect(JSON.parse(json)).toEqual(result);
    expect(json).toContain('__proto__');
    expect(json).not.toContain('\u0000');
  });

  it('says null where the tool said nothing', () => {
    expect(storeResult(undefined, 10)).toEqual({ json: 'null', truncated: false });
  });

  it('cuts what is too large to text, at the edge of a character', () => {
    const { json, truncated } = storeResult('é'.repeat(100), 11);
    expect(truncated).toBe(true);
    expect(JSON.parse(json)).toBe('é'.repeat(5));
  });

  it('cuts an object to the beginning of its JSON text', () => {
    const { json } = storeResult({ rows: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 12);
    expect(JSON.parse(json)).toBe('{"rows":[1,2');
  });

  it('keeps a result that just fits', () => {
    expect(storeResult('abcd', 6)).toEqual({ json: '"abcd"', truncated: false });
    expect(storeResult('abcde', 6).truncated).toBe(true);
  });

  it('reads bytes as text where they are text, else as base64', () => {
    expect(storeResult(Buffer.from('hé'), 100).json).toBe('"hé"');
    expect(storeResult(Uint8Array.of(0xff, 0xfe), 100).json).toBe('"//4="');
    expect(storeResult({ file: Buffer.from('hello') }, 100).json).toBe('{"file":"aGVsbG8="}');
  });

  it('refuses a cycle and a BigInt with a sentence', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => storeResult(cycle, 10)).toThrow(/cannot be written as JSON/);
    expect(() => storeResult(1n, 10)).toThrow(/cannot be written as JSON/);
  });
});
