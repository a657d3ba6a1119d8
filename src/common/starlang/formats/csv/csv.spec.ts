import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, readText, toPlain, writeText } from '../../index.js';

const read = (text: string, options = {}) => toPlain(readText(text, 'application/csv', options));
const write = (value: unknown, options = {}) => writeText(value, 'application/csv', options);

describe('the CSV reader', () => {
  it('reads rows by the header, all cells as texts', () => {
    expect(read('id,name\r\n1,Ann\n\n2,"Bo, Jr."\n')).toEqual([
      { id: '1', name: 'Ann' },
      { id: '2', name: 'Bo, Jr.' },
    ]);
    expect(read('')).toEqual([]);
    expect(read('a,b\n')).toEqual([]);
  });

  it('knows quotes, doubled quotes, escapes and line breaks in cells', () => {
    expect(read('a,b\n"x\ny","say ""hi"""\n')).toEqual([{ a: 'x\ny', b: 'say "hi"' }]);
    expect(read('a,b\n"say \\"hi\\"",C:\\temp\n')).toEqual([{ a: 'say "hi"', b: 'C:\\temp' }]);
    expect(read("a;b\n'x;y';z|;w\n", { separator: ';', quote: "'", escape: '|' })).toEqual([
      { a: 'x;y', b: 'z;w' },
    ]);
  });

  it('names columns of headerless rows, extra cells, and leaves missing ones out', () => {
    expect(read('1,2\n3\n', { header: false })).toEqual([
      { column_0: '1', column_1: '2' },
      { column_0: '3' },
    ]);
    expect(read('a\n1,2\n')).toEqual([{ a: '1', column_1: '2' }]);
    const script = compile('input payload csv header=false\noutput json --- payload[0][1]');
    expect(script.run({ payload: 'x,y' }).text()).toBe('"y"');
  });

  it('starts header and body where it is told', () => {
    const text = 'report\n\nid,n\nunits,kg\n1,2\n';
    expect(read(text, { headerLineNumber: 2, bodyStartLineNumber: 4 })).toEqual([{ id: '1', n: '2' }]);
  });

  it('reads empty lines as rows when told', () => {
    expect(read('a\n\n1\n', { ignoreEmptyLine: false })).toEqual([{ a: '' }, { a: '1' }]);
  });

  it('takes any header name', () => {
    const value = readText('__proto__,a,a,1\nx,y,z,w\n', 'csv');
    expect(compile('output json indent=false --- payload[0]').run({ payload: value }).text()).toBe(
      '{"__proto__":"x","a":"y","a":"z","1":"w"}',
    );
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('says where the text is wrong', () => {
    expect(() => read('a,b\n1,"x')).toThrow(/a quoted cell has no end at line 2, column 3\n2\| 1,"x\n {5}\^/);
    expect(() => read('a\n"x"y\n')).toThrow(/"y" after the closing quote of a cell at line 2, column 4/);
  });

  it('refuses unknown options and those of the other side', () => {
    expect(() => read('a', { seperator: ';' })).toThrow(
      /no option "seperator"[\s\S]*did you mean "separator"/,
    );
    expect(() => read('a', { quoteValues: true })).toThrow(/option of the writer/);
    expect(() => read('a', { header: 'maybe' })).toThrow(/takes true or false/);
    expect(() => compile('output csv heder=true --- []')).toThrow(/did you mean "header"/);
  });
});

describe('the CSV writer', () => {
  it('writes a header of every key and quotes where needed', () => {
    expect(
      write([
        { a: 1, b: 'x,y' },
        { a: null, c: 'say "hi"' },
      ]),
    ).toBe('a,b,c\n1,"x,y",\n,,"say \\"hi\\""\n');
    expect(write({ a: 1 })).toBe('a\n1\n');
    expect(write([])).toBe('');
  });

  it('follows its options', () => {
    const rows = [{ a: 1, b: 'x' }];
    expect(write(rows, { quoteHeader: true, quoteValues: true, lineSeparator: '\r\n' })).toBe(
      '"a","b"\r\n"1","x"\r\n',
    );
    expect(write(rows, { header: false, separator: '\t' })).toBe('1\tx\n');
    expect(write([{ a: 'q"q' }], { escape: '"' })).toBe('a\n"q""q"\n');
    expect(write(rows, { headerLineNumber: 1, bodyStartLineNumber: 3 })).toBe('\na,b\n\n1,x\n');
    expect(write([[1, 2], [3]])).toBe('1,2\n3\n');
  });

  it('refuses what is no cell or row', () => {
    expect(() => write([{ a: { b: 1 } }])).toThrow(/A cell of CSV takes a text but got Object/);
    expect(() => write([1])).toThrow(/item 0 is Number/);
    expect(() => write('x')).toThrow(/array of objects, not String/);
  });

  it('is read back the same, whatever the cells and the dialect', () => {
    const cell = fc.oneof(fc.string(), fc.stringMatching(/^[ab,;"'\\\r\n|]{0,6}$/));
    const dialect = fc.record({
      separator: fc.constantFrom(',', ';', '\t', '||'),
      quote: fc.constantFrom('"', "'"),
      escape: fc.constantFrom('\\', '"', "'", ''),
      quoteValues: fc.boolean(),
    });
    const table = fc
      .uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 })
      .chain((names) =>
        fc
          .array(fc.tuple(...names.map(() => cell)), { minLength: 1, maxLength: 5 })
          .map((rows) => ({ names, rows })),
      );
    fc.assert(
      fc.property(table, dialect, ({ names, rows }, { quoteValues, ...both }) => {
        const value = rows.map((row) => new Map(names.map((name, i) => [name, row[i]])));
        const text = write(value, { ...both, quoteValues });
        const back = readText(text, 'csv', both);
        const flat = compile('output json indent=false --- payload').run({ payload: back }).text();
        expect(flat).toBe(compile('output json indent=false --- payload').run({ payload: value }).text());
      }),
    );
  });
});
