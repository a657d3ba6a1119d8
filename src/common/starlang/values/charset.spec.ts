import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, readText, writeText } from '../index.js';
import { charsetOf } from './charset.js';

const run = (expr: string) => writeText(compile(expr).run().value, 'json', { indent: false });

describe('a character set', () => {
  it.each([
    ['UTF-8', '"é" as Binary', 'c3a9'],
    ['ISO-8859-1', '"é€😀Ā"', 'e93f3f3f'],
    ['ISO-8859-15', '"é€¤"', 'e9a43f'],
    ['windows-1252', '"é€…"', 'e98085'],
    ['US-ASCII', '"aé"', '613f'],
    ['UTF-16', '"é"', 'feff00e9'],
    ['utf_16be', '"é"', '00e9'],
    ['UTF-16LE', '"é"', 'e900'],
    ['UTF-32', '"é😀"', '000000e90001f600'],
  ])('%s has the bytes of %s', (name, text, hex) => {
    expect(run(`${text} as Binary {encoding: "${name}"} as String {base: "16"}`)).toBe(`"${hex}"`);
  });

  it.each(['UTF-8', 'UTF-16', 'UTF-16LE', 'UTF-16BE', 'UTF-32'])('%s keeps any text', (name) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.startsWith('\uFEFF'));
        const charset = charsetOf(name);
        expect(charset.decode(charset.encode(text))).toBe(text);
      }),
    );
  });

  it.each(['ISO-8859-1', 'ISO-8859-15', 'windows-1252'])('%s keeps every byte', (name) => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const charset = charsetOf(name);
    expect(charset.encode(charset.decode(bytes))).toEqual(bytes);
  });

  it('reads UTF-16 by its byte order mark', () => {
    for (const hex of ['feff00e9', 'fffee900', '00e9'])
      expect(charsetOf('UTF-16').decode(Buffer.from(hex, 'hex'))).toBe('é');
  });

  it.each([
    'output json encoding="UTF-9" --- 1',
    '"a" as Binary {encoding: "UTF-9"}',
    'dw::core::Binaries::writeLinesWith(["a"], "UTF-9")',
    'read("1", "json", {encoding: "UTF-9"})',
  ])('that is not known is refused with those that are: %s', (source) => {
    expect(() => run(source)).toThrow(/UTF-9[\s\S]*UTF-8|UTF-8[\s\S]*UTF-9/);
  });

  it('of the network that is not known says nothing, and that of an XML declaration is refused', () => {
    expect(readText(Buffer.from('"é"'), 'application/json; charset=x-9')).toBe('é');
    const xml = Buffer.from('<?xml version="1.0" encoding="x-9"?><a/>');
    expect(() => readText(xml, 'xml')).toThrow(/encoding that is not known: "x-9"/);
  });

  it('of XML is told by its byte order mark', () => {
    const bytes = writeText({ a: 'é' }, 'xml', { encoding: 'UTF-16' });
    expect(writeText(readText(bytes, 'xml'), 'json', { indent: false })).toBe('{"a":"é"}');
  });
});
