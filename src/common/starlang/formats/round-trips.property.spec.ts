import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readText, writeText } from '../index.js';

const json = (value: unknown) => writeText(value, 'json', { indent: false });

describe('ndjson', () => {
  it('comes out as it went in, a line each', () => {
    fc.assert(
      fc.property(fc.array(fc.json({ maxDepth: 3 })), (texts) => {
        const values = readText(`[${texts.join(',')}]`, 'json');
        const lines = String(writeText(values, 'ndjson'));
        expect(lines.split('\n')).toHaveLength(texts.length + 1);
        expect(json(readText(lines, 'ndjson'))).toBe(json(values));
      }),
    );
  });
});

describe('multipart', () => {
  const name = fc.string({
    unit: fc.constantFrom(...Array.from('ab1 _-."\\%é😀')),
    minLength: 1,
    maxLength: 6,
  });
  const text = fc.string({ unit: fc.constantFrom(...Array.from('ab-\r\n: é😀"')), maxLength: 20 });

  it('keeps the names and contents of its parts', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, text), { selector: ([key]) => key, minLength: 1 }),
        (parts) => {
          const headers = { 'Content-Type': 'text/plain; charset=UTF-8' };
          const given = new Map(parts.map(([key, content]) => [key, { headers, content }]));
          const bytes = writeText({ parts: given }, 'multipart', { boundary: 'limit-42' });
          const read = readText(bytes, 'multipart/form-data; boundary=limit-42') as { parts: unknown };
          const seen = JSON.parse(String(json(read))) as { parts: Record<string, { content: unknown }> };
          const contents = Object.entries(seen.parts).map(([key, part]) => [key, part.content] as const);
          expect(new Map<string, unknown>(contents)).toEqual(new Map<string, unknown>(parts));
        },
      ),
    );
  });
});
