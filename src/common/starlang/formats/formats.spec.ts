import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, readText, toPlain, writeText } from '../index.js';

const json = (payload: unknown) => compile('output json indent=false --- payload').run({ payload }).text();

const part = (headers: object) => () => writeText({ parts: { a: { headers, content: 'x' } } }, 'multipart');
const readResource = (url: string) => ({ text: `content of ${url}`, mime: 'text/plain' });

describe('urlencoded', () => {
  const mime = 'application/x-www-form-urlencoded';

  it('reads and writes duplicates, blanks and bare keys', () => {
    const text = 'a=1&b+c=%40x&a=&d';
    expect(json(readText(text, mime))).toBe('{"a":"1","b c":"@x","a":"","d":null}');
    expect(writeText(readText(text, mime), mime)).toBe(text);
    expect(writeText({ a: [1, true] }, mime)).toBe('a=1&a=true');
  });

  it('refuses what is no form', () => {
    expect(() => readText('a=%zz', mime)).toThrow(/line 1, column 3/);
    expect(() => readText('a=%ff', mime)).toThrow(/no UTF-8/);
    expect(() => writeText({ a: { b: 1 } }, mime)).toThrow(/The form field "a" takes a text/);
    expect(() => writeText('x', mime)).toThrow(/object of texts/);
    expect(json(readText('__proto__=1', mime))).toBe('{"__proto__":"1"}');
  });

  it('is read back the same', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.option(fc.string()))), (pairs) => {
        const value = new Map(pairs);
        expect(json(readText(writeText(value, mime), mime))).toBe(json(value));
      }),
    );
  });
});

describe('properties', () => {
  const mime = 'text/x-java-properties';

  it('reads comments, separators, escapes and continued lines', () => {
    const text =
      '# note \\\n! more\nhost = db.local\nport:1234\npath C:\\\\x\nlong = a,\\\n   b\n\\u00e9=caf\\u00E9\nempty\n';
    expect(json(readText(text, mime))).toBe(
      '{"host":"db.local","port":"1234","path":"C:\\\\x","long":"a,b","é":"café","empty":""}',
    );
    expect(() => readText('a=\\u12', mime)).toThrow(/four hexadecimal digits at line 1/);
  });

  it('is read back the same', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.string({ minLength: 1 }),
            fc.oneof(fc.string(), fc.constantFrom('\n', ' \t', '\u0000', 'é😀', '\\u', '#')),
          ),
        ),
        (pairs) => {
          const value = new Map(pairs);
          expect(json(readText(writeText(value, mime), mime))).toBe(json(value));
        },
      ),
    );
  });
});

describe('text and bytes', () => {
  it('keeps them as they are', () => {
    expect(toPlain(readText('\ufeffhé', 'text/plain'))).toBe('hé');
    expect(writeText(12, 'text/plain')).toBe('12');
    expect(() => writeText({ a: 1 }, 'text/plain')).toThrow(/Plain text takes a String, not Object/);
    expect(Buffer.from(writeText('é', 'text/plain', { encoding: 'ISO-8859-1' })).toString('hex')).toBe('e9');
    expect(toPlain(readText(Buffer.from([0xe9]), 'text/plain; charset=iso-8859-1'))).toBe('é');
    expect(Buffer.from(writeText(Buffer.from([0, 255]), 'application/octet-stream')).toString('hex')).toBe(
      '00ff',
    );
  });
});

describe('ndjson', () => {
  it('names the line that is wrong, or leaves it out', () => {
    const text = '{"a":1}\n\n{"a":\n[2]';
    expect(() => readText(text, 'ndjson')).toThrow(/Line 3 of the text: The text is no JSON/);
    expect(toPlain(readText(text, 'ndjson', { skipInvalid: true }))).toEqual([{ a: 1 }, [2]]);
  });
});

describe('multipart', () => {
  const message =
    'hello\r\n--b1\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\ny\r\n--b1\r\n' +
    'Content-Disposition: form-data; name="f"; filename="q%22.json"\r\ncontent-type: application/json\r\n\r\n{"n": 1}\r\n' +
    '--b1\r\n\r\nplain\r\n--b1--\r\n';

  it('reads parts by their types', () => {
    const value = readText(message, 'multipart/form-data; boundary=b1');
    const parts = toPlain(value) as {
      preamble: string;
      parts: Record<string, { content: unknown; headers: object }>;
    };
    expect(parts.preamble).toBe('hello');
    expect(parts.parts.a?.content).toBe('x\r\ny');
    expect(parts.parts.f).toEqual({
      headers: {
        'Content-Disposition': { name: 'f', filename: 'q".json', subtype: 'form-data' },
        'content-type': 'application/json',
      },
      content: { n: 1 },
    });
    expect(parts.parts['2']?.content).toBe('plain');
  });

  it('keeps bytes', () => {
    const bytes = Buffer.concat([
      Buffer.from('--z\r\nContent-Disposition: form-data; name="i"\r\nContent-Type: image/png\r\n\r\n'),
      Buffer.from([0, 13, 10, 255]),
      Buffer.from('\r\n--z--'),
    ]);
    const value = readText(bytes, 'multipart/form-data');
    expect((toPlain(value) as { parts: { i: { content: Uint8Array } } }).parts.i.content).toEqual(
      Buffer.from([0, 13, 10, 255]),
    );
    const again = writeText(value, 'multipart/form-data', { boundary: 'z' });
    expect(Buffer.from(again).includes(Buffer.from([0, 13, 10, 255]))).toBe(true);
  });

  it('writes forms of the Multipart module with a boundary no part holds', () => {
    const script = compile(
      'import * from dw::module::Multipart\noutput multipart boundary="b"\n---\n' +
        'form([field("o", {x: 1}, "application/json", "o.json"), field({name: "t", value: "hi"})])',
    );
    expect(script.run().text()).toBe(
      '--b\r\nContent-Type: application/json\r\nContent-Disposition: form-data; name="o"; filename="o.json"\r\n\r\n' +
        '{\n  "x": 1\n}\r\n--b\r\nContent-Disposition: form-data; name="t"\r\n\r\nhi\r\n--b--\r\n',
    );
    const held = { parts: { a: { content: 'x\r\n--b\r\ny' } } };
    expect(() => writeText(held, 'multipart', { boundary: 'b' })).toThrow(/stands in the content/);
    expect(toPlain(readText(writeText(held, 'multipart'), 'multipart'))).toMatchObject({
      parts: { a: { content: 'x\r\n--b\r\ny' } },
    });
  });

  it('gives the same boundary for the same random source', () => {
    const script = compile('output multipart --- {parts: {a: {content: "x"}}}');
    const env = { random: () => 0.5 };
    expect(script.run({}, env).text()).toBe(script.run({}, env).text());
  });

  it('refuses what is broken or would inject', () => {
    expect(() => readText('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', 'multipart')).toThrow(
      /ends inside of part 1/,
    );
    expect(() => readText('no', 'multipart')).toThrow(/does not begin with a boundary/);
    expect(() => readText(message.replace('{"n": 1}', '{'), 'multipart', { boundary: 'b1' })).toThrow(
      /The part "f" \(application\/json\)/,
    );
    expect(part({ 'X-A': 'b\r\nX-C: d' })).toThrow(/cannot hold a line break/);
    expect(part({ 'X A': 'b' })).toThrow(/no name of a header/);
    expect(writeText({ parts: { 'a"\r\nb': { content: 'x' } } }, 'multipart', { boundary: 'b' })).toContain(
      'name="a%22%0D%0Ab"',
    );
  });

  it('reads files of the workspace only', () => {
    const source = 'import * from dw::module::Multipart\noutput json --- file("f", "a.txt").content';
    expect(() => compile(source).run()).toThrow(/reads files of the workspace/);
    expect(compile(source).run({}, { readResource }).text()).toBe('"content of a.txt"');
  });
});

describe('directives', () => {
  it('reads bound bytes and texts by the input directive', () => {
    const script = compile('input payload xml\noutput json indent=false --- payload');
    expect(script.run({ payload: '<a>1</a>' }).text()).toBe('{"a":"1"}');
    expect(script.run({ payload: { b: 2 } }).text()).toBe('{"b":2}');
    expect(
      compile('input payload json\noutput json --- payload')
        .run({ payload: Buffer.from('[1]') })
        .text(),
    ).toBe('[\n  1\n]');
  });

  it('checks formats and options when it compiles', () => {
    expect(() => compile('input payload csv sep=";"\n--- 1')).toThrow(/no option "sep"/);
    expect(() => compile('output xmll --- 1')).toThrow(/did you mean "xml"/);
    expect(() => compile('output json nullValueOn="empty" --- 1')).toThrow(/no option "nullValueOn"/);
  });

  it('writes by the id after "with" under the mime before it', () => {
    const script = compile('output application/json with binary --- "[1]"');
    expect(script.mimeType).toBe('application/json');
    expect(script.run().text()).toBe('[1]');
  });

  it('reads and writes inside of scripts with the same options', () => {
    const script =
      'output json --- write(read("a;b\\n1;2", "csv", {separator: ";"}), "yaml", {writeDeclaration: false})';
    expect(compile(script).run().text()).toBe('"-\\n  a: \\"1\\"\\n  b: \\"2\\"\\n"');
    expect(() => compile('read("", "csv", {seperator: ";"})').run()).toThrow(/did you mean "separator"/);
  });
});

const rows = (mime: string) => writeText(readText('a;b\n1;2', mime), 'json', { indent: false });

describe('options', () => {
  it.each([
    [
      'output json indent=maybe --- 1',
      /option "indent" is no literal \(line 1, column 20\)[\s\S]*write true, false/,
    ],
    ['output json indent="maybe" --- 1', /takes true or false, not "maybe"/],
    ['output csv separator="" --- []', /"separator" of application\/csv takes at least one character/],
    ['output xml indentt=true --- {}', /did you mean "indent"/],
  ])('%s is told at compile', (source, message) => {
    expect(() => compile(source)).toThrow(message);
  });

  it('that only tune the peer are taken, with a warning that says why they are idle', () => {
    const { warnings } = compile('input payload csv streaming=true\noutput json deferred=true\n---\n1');
    expect(warnings.map(({ message, hint, line }) => `${line} ${message}: ${hint}`)).toEqual([
      '1 The option "streaming" changes nothing: a text is read as a whole, so that it can be gone through in any order',
      '2 The option "deferred" changes nothing: a result is whole when the script ends',
    ]);
    expect(
      readText('<a>1</a>', 'xml', { streaming: true, collectionPath: 'a', indexedReader: false }),
    ).toBeDefined();
  });

  it('may stand in a mime type, and say nothing there when they make no sense', () => {
    expect(rows('text/csv; separator=";"')).toBe('[{"a":"1","b":"2"}]');
    expect(rows('text/csv; header=absent; separator=";"')).toBe(
      '[{"column_0":"a","column_1":"b"},{"column_0":"1","column_1":"2"}]',
    );
    expect(rows('text/csv; header=perhaps; separator=; headerLineNumber=-1; quoteValues=true; x=y')).toBe(
      '[{"a;b":"1;2"}]',
    );
  });

  it('JSON is written and read in its encoding', () => {
    const bytes = compile('output json encoding="UTF-16LE" --- "é"').run().bytes();
    expect(Buffer.from(bytes).toString('utf16le')).toBe('"é"');
    expect(readText(bytes, 'application/json; charset=utf-16le')).toBe('é');
  });
});
