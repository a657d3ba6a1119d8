import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.js';
import { Tail } from './tail.js';

describe('lines of a stream', () => {
  it('are whole, however the stream is cut', () => {
    const text = 'one\r\n\ntw\u00f6\nthree';
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size++) {
      const reader = new LineReader(100);
      const lines: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        lines.push(...reader.push(bytes.subarray(at, at + size)));
      lines.push(...reader.push(Buffer.from('\n')));
      expect(lines).toEqual(['one', '', 'tw\u00f6', 'three']);
    }
  });

  it('are refused when they grow too long, before their end is seen', () => {
    const reader = new LineReader(10);
    expect(reader.push(Buffer.from('0123456789\n'))).toEqual(['0123456789']);
    reader.push(Buffer.from('012345'));
    expect(() => reader.push(Buffer.from('6789a'))).toThrow(/larger than 10 bytes/);
  });
});

describe('the tail of a stream', () => {
  it('is its end, without secrets', () => {
    const tail = new Tail(20, ['hunter22', 'x']);
    tail.push(Buffer.from('a'.repeat(1000)));
    tail.push(Buffer.from('key is hunter22 x'));
    expect(tail.toString()).toBe('aaaaaaaakey is *** x');
    expect(tail.toString().length).toBeLessThanOrEqual(20);
  });
});
