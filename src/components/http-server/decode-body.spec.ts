import { describe, expect, it } from 'vitest';
import type { HelixError } from '../../common/engine/errors/helix-error.js';
import { decodeBody } from './decode-body.js';
import { covers, parseMediaType } from './media-type.js';

const decode = (bytes: Buffer | string, type: string): unknown =>
  decodeBody(Buffer.from(bytes as string), parseMediaType(type));
const code = (bytes: Buffer | string, type: string): string | undefined => {
  try {
    decode(bytes, type);
    return undefined;
  } catch (error) {
    return (error as HelixError).code;
  }
};
const every = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

describe('a request body', () => {
  it.each([
    ['{"a":[1,null]}', 'application/json', { a: [1, null] }],
    ['\ufeff"bom"', 'application/json; charset=UTF-8', 'bom'],
    ['{"a":1}', 'application/vnd.api+json', { a: 1 }],
    ['   ', 'application/json', null],
    ['', 'application/json', null],
    ['', 'application/octet-stream', null],
    ['a=1&b=x+y&a=2&c', 'application/x-www-form-urlencoded', { a: ['1', '2'], b: 'x y', c: '' }],
    ['h\u00e9llo', 'text/plain', 'h\u00e9llo'],
    ['<a/>', 'application/xml', '<a/>'],
  ])('%j as %s', (text, type, value) => {
    expect(decode(text, type)).toEqual(value);
  });

  it('is read in the charset it names', () => {
    expect(decode(Buffer.from('h\u00e9', 'latin1'), 'text/plain; charset=iso-8859-1')).toBe('h\u00e9');
    expect(decode(Buffer.from('{"a":"\u00e9"}', 'utf16le'), 'application/json;charset="utf-16le"')).toEqual({
      a: '\u00e9',
    });
  });

  it('stays bytes where it is no text, all 256 of them', () => {
    expect(decode(every, 'application/octet-stream')).toEqual(every);
    expect(decode(every, 'image/png')).toEqual(every);
    expect(decodeBody(every, null)).toEqual(every);
  });

  it.each([
    ['open', '{"a":', 'application/json', 'HTTP.BAD_REQUEST'],
    ['a member twice', '{"a":[{"b":1, "b":2}]}', 'application/json', 'HTTP.BAD_REQUEST'],
    ['single quotes', "{'a':1}", 'application/json', 'HTTP.BAD_REQUEST'],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json', 'HTTP.BAD_REQUEST'],
    ['broken text', Buffer.from([0xc3, 0x28]), 'text/plain', 'HTTP.BAD_REQUEST'],
    ['broken form', 'a=%zz', 'application/x-www-form-urlencoded', 'HTTP.BAD_REQUEST'],
    ['unknown charset', '{}', 'application/json; charset=klingon', 'HTTP.UNSUPPORTED_MEDIA_TYPE'],
    ['a tower of lists', '['.repeat(900_000), 'application/json', 'HTTP.BAD_REQUEST'],
    ['a tower of objects', '[{"a":'.repeat(25_000), 'application/json', 'HTTP.BAD_REQUEST'],
  ])('is refused: %s', (_, bytes, type, expected) => {
    expect(code(bytes, type)).toBe(expected);
  });

  it('does not count brackets inside strings as depth', () => {
    const text = JSON.stringify({ a: `${'['.repeat(2000)}\\"${'{'.repeat(2000)}` });
    expect(decode(text, 'application/json')).toEqual(JSON.parse(text));
  });

  it('does not repeat the body in its message', () => {
    expect(() => decode('{"secret": hunter2}', 'application/json')).toThrow(/not valid JSON/);
    expect(() => decode('{"secret": hunter2}', 'application/json')).not.toThrow(/hunter2/);
  });

  it('keeps __proto__ an ordinary name', () => {
    for (const [text, type] of [
      ['{"__proto__":{"polluted":1}}', 'application/json'],
      ['__proto__=polluted', 'application/x-www-form-urlencoded'],
    ] as const) {
      expect(Object.keys(decode(text, type) as object)).toEqual(['__proto__']);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

const part = (head: string, content: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.from(content as string), Buffer.from('\r\n')]);
const form = (...parts: Buffer[]): unknown =>
  decode(Buffer.concat([...parts, Buffer.from('--b--\r\n')]), 'multipart/form-data; boundary=b');

describe('a multipart form', () => {
  it('has fields as text and files as bytes', () => {
    const value = form(
      part('Content-Disposition: form-data; name="title"', 'Gr\u00fc\u00dfe'),
      part('content-disposition: form-data; name=tag', ''),
      part('Content-Disposition: form-data; name="tag"', '--b not a delimiter'),
      part(
        'Content-Disposition: form-data; name="file"; filename="a%22b \u00e9.bin"\r\nContent-Type: image/png',
        Buffer.concat([every, Buffer.from('\r\n\r\n--bx'), every]),
      ),
    );
    expect(value).toEqual({
      title: 'Gr\u00fc\u00dfe',
      tag: ['', '--b not a delimiter'],
      file: {
        filename: 'a"b \u00e9.bin',
        contentType: 'image/png',
        content: Buffer.concat([every, Buffer.from('\r\n\r\n--bx'), every]),
      },
    });
  });

  it('reads what a browser sends', async () => {
    const data = new FormData();
    data.append('a', '1');
    data.append('f', new Blob([every], { type: 'application/x-thing' }), 'thing.bin');
    const request = new Request('http://localhost', { method: 'POST', body: data });
    const bytes = Buffer.from(await request.arrayBuffer());
    expect(decode(bytes, request.headers.get('content-type') ?? '')).toEqual({
      a: '1',
      f: { filename: 'thing.bin', contentType: 'application/x-thing', content: every },
    });
  });

  it.each([
    ['no boundary', 'x', 'multipart/form-data'],
    ['a boundary that does not occur', 'x', 'multipart/form-data; boundary=b'],
    [
      'an end that is missing',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
      'multipart/form-data; boundary=b',
    ],
    ['a part without a name', '--b\r\nX: y\r\n\r\n1\r\n--b--', 'multipart/form-data; boundary=b'],
    ['headers without an end', '--b\r\nX: y\r\n--b--', 'multipart/form-data; boundary=b'],
    [
      'too many parts',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1001) + '--b--',
      'multipart/form-data; boundary=b',
    ],
  ])('refuses %s', (_, body, type) => {
    expect(code(body, type)).toBe('HTTP.BAD_REQUEST');
  });
});

describe('a media type', () => {
  it.each([
    ['Application/JSON ; Charset="utf-8"', 'application/json', { charset: 'utf-8' }],
    ['text/plain;', 'text/plain', {}],
    ['text/plain;a="x;y\\"z";a=2', 'text/plain', { a: 'x;y"z' }],
    ['text/plain;a=application/json', null, {}],
    ['text', null, {}],
    ['text/plain junk', null, {}],
  ])('%s', (text, type, parameters) => {
    const media = parseMediaType(text);
    expect(media?.type ?? null).toBe(type);
    expect(Object.fromEntries(media?.parameters ?? [])).toEqual(parameters);
  });

  it('is covered by ranges', () => {
    expect(covers(['text/*'], 'text/csv')).toBe(true);
    expect(covers(['*/*'], 'image/png')).toBe(true);
    expect(covers(['application/json'], 'application/jsonp')).toBe(false);
  });
});
