import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, readText, toPlain, writeText } from '../../index.js';
import { readDw } from '../dw/read-dw.js';
import { writeDw } from '../dw/write-dw.js';

const read = (text: string, options = {}) => readText(text, 'application/yaml', options);
const write = (value: unknown, options = {}) =>
  writeText(value, 'application/yaml', { writeDeclaration: false, ...options });
const json = (payload: unknown) => compile('output json indent=false --- payload').run({ payload }).text();

describe('the YAML reader', () => {
  it('keeps order, duplicates, texts and every digit', () => {
    expect(json(read('b: 1\n2: two\na: [x, null, ~, true]\nb: 12345678901234567890.10\n'))).toBe(
      '{"b":1,"2":"two","a":["x",null,null,true],"b":12345678901234567890.1}',
    );
    expect(json(read('d: 2024-05-06\nn: no\ns: "1"\nh: 0x1F\ne: 1e3\n'))).toBe(
      '{"d":"2024-05-06","n":"no","s":"1","h":31,"e":1000}',
    );
    expect(toPlain(read(''))).toBeNull();
    expect(toPlain(read('text: |\n  one\n  two\n'))).toEqual({ text: 'one\ntwo\n' });
  });

  it('follows aliases and merge keys', () => {
    const text = 'base: &b {a: 1, c: 2}\none:\n  <<: *b\n  a: 9\ntwo: *b\n';
    expect(toPlain(read(text))).toEqual({ base: { a: 1, c: 2 }, one: { a: 9, c: 2 }, two: { a: 1, c: 2 } });
  });

  it('refuses alias bombs, loops and depth', () => {
    const bomb = ['a0: &a0 [x, x]'];
    for (let i = 1; i < 12; i++) bomb.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}x]`);
    expect(() => read(bomb.join('\n'))).toThrow(/more than 100 aliases/);
    expect(() => read('a: &a [*a]')).toThrow(/inside of its own anchor/);
    expect(() => read('['.repeat(100_000))).toThrow(/nested deeper/);
    expect(() => read(Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}k:`).join('\n'))).toThrow(
      /nested/,
    );
  });

  it('says where the text is wrong', () => {
    expect(() => read('a: 1\nb: [1, 2\n')).toThrow(/The text is no YAML: [\s\S]*line \d, column \d+\n/);
    expect(() => read('a: *nope')).toThrow(/line 1, column 4/);
    expect(() => read('[a, b]: 1')).toThrow(/keys are texts|no single value/);
    expect(() => read('a: 1\n---\nb: 2\n')).toThrow(/2 YAML documents/);
  });

  it('reads keys of Object.prototype as any other', () => {
    expect(json(read('__proto__: {x: 1}\nconstructor: 2\n'))).toBe('{"__proto__":{"x":1},"constructor":2}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('the YAML writer', () => {
  it('writes block style with quotes where a reader would see something else', () => {
    expect(writeText({ a: [1, { b: 'x' }, [2]], e: {}, f: [] }, 'yaml')).toBe(
      '%YAML 1.2\n---\na:\n  - 1\n  -\n    b: x\n  -\n    - 2\ne: {}\nf: []\n',
    );
    expect(write(['yes', '1.0', '', 'a: b', '- x', 'x #y', '2024-05-06', '~', 'two\nlines', 'it is'])).toBe(
      '- "yes"\n- "1.0"\n- ""\n- "a: b"\n- "- x"\n- "x #y"\n- "2024-05-06"\n- "~"\n- "two\\nlines"\n- it is\n',
    );
    expect(write('top')).toBe('top\n');
  });

  it('leaves nulls out as asked', () => {
    const value = { a: null, b: [null, 1] };
    expect(write(value)).toBe('a: null\nb:\n  - null\n  - 1\n');
    expect(write(value, { skipNullOn: 'objects' })).toBe('b:\n  - null\n  - 1\n');
    expect(write(value, { skipNullOn: 'arrays' })).toBe('a: null\nb:\n  - 1\n');
    expect(write(value, { skipNullOn: 'everywhere' })).toBe('b:\n  - 1\n');
  });
});

describe('any JSON-like value', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom(
      'null',
      'yes',
      '-',
      '?',
      ': ',
      ' #',
      '1e5',
      '0x1',
      '__proto__',
      '<<',
      '*a',
      '&a',
      '!t',
      '%Y',
      '---',
      '...',
      '\u2028',
      '\u0085',
      '$(x)',
      '\\',
    ),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.array(fc.tuple(text, tie('any')), { maxLength: 4 }).map((pairs) => new Map(pairs)),
    ),
  })).any;

  it('is the same after YAML', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(json(read(String(write(one))))).toBe(json(one));
      }),
    );
  });

  it('is the same after NDJSON', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), (list) => {
        const lines = writeText(list, 'application/x-ndjson');
        expect(json(readText(lines, 'ndjson'))).toBe(json(list));
      }),
    );
  });

  it('is the same after application/dw', () => {
    fc.assert(
      fc.property(value, (one) => {
        const inside = compile('payload').run({ payload: one }).value as Parameters<typeof writeDw>[0];
        expect(json(readDw(writeDw(inside, { indent: '  ', maxCollectionSize: -1 })))).toBe(json(one));
      }),
    );
  });
});
