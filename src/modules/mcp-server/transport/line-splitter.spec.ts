import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.js';

function split(chunks: readonly Buffer[], most = 1000): (string | null)[] {
  const lines: (string | null)[] = [];
  const splitter = new LineSplitter(most, (line) => lines.push(line?.toString('utf8') ?? null));
  for (const chunk of chunks) splitter.push(chunk);
  return lines;
}

it('gives the same lines however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[^\n]*\S[^\n]*$/)), fc.array(fc.nat(200)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(split(chunks, 100_000)).toEqual(lines);
    }),
  );
});

it('reports a line beyond the limit once and goes on after it', () => {
  const long = 'x'.repeat(11);
  expect(split([Buffer.from(long), Buffer.from(`${long}\nok\n`)], 10)).toEqual([null, 'ok']);
});

it('skips blank lines', () => {
  expect(split([Buffer.from('\n \r\na\n')])).toEqual(['a']);
});
