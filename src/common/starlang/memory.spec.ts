import { describe, expect, it } from 'vitest';
import { compile, parse, StarlangError, toPlain, type CompileOptions, type Limits } from './index.js';

const LIMITS: Partial<Limits> = {
  timeMs: 2_000,
  memory: 2_000_000,
  textLength: 500_000,
  collectionSize: 100_000,
};
const BACKENDS = ['closures', 'generated'] as const;

function kindOf(source: string, options: CompileOptions = {}, payload: unknown = null): string {
  try {
    const out = compile(source, { limits: LIMITS, ...options }).run({ payload });
    out.text();
    return 'fine';
  } catch (error) {
    if (!(error instanceof StarlangError)) throw error;
    return error.kind;
  }
}

const down = (depth: number) => `fun f(n) = if (n == 0) 0 else 1 + f(n - 1)\n---\nf(${depth})`;

describe.each(BACKENDS)('what one run makes, with %s', (backend) => {
  it.each([
    ['repeated texts', '(1 to 200) map upper(repeat("x", 60000) ++ ($ as String))'],
    [
      'joined texts that are walked later',
      'do { var b = repeat("x", 60000) --- ((1 to 200) map (b ++ $)) map ($ contains "y") }',
    ],
    [
      'joined texts that are compared later',
      'do { var b = repeat("x", 60000) var l = ((100 to 300) map (b ++ $)) --- l map ($ == l[0]) }',
    ],
    [
      'joined texts that are ordered',
      'do { var b = repeat("x", 60000) --- ((1 to 200) map (b ++ $)) orderBy $ }',
    ],
    [
      'joined texts that are criteria',
      'do { var b = repeat("x", 60000) --- (1 to 200) distinctBy (b ++ $) }',
    ],
    ['joined texts that are groups', 'do { var b = repeat("x", 60000) --- (1 to 200) groupBy (b ++ $) }'],
    ['joined texts that are keys', 'do { var b = repeat("x", 60000) --- (1 to 200) map {(b ++ $): 1} }'],
    ['interpolated texts', 'do { var b = repeat("x", 60000) --- (1 to 200) map lower("$(b)-$($)") }'],
    ['padded texts', '(1 to 200) map leftPad($ as String, 60000)'],
    [
      'replaced texts',
      'do { var b = repeat("xy", 30000) --- (1 to 200) map ((b ++ $) replace "y" with "zz") }',
    ],
    ['replacements that multiply', 'replaceAll(repeat("x", 60000), "x", repeat("y", 60000))'],
    ['texts joined by a separator', 'do { var b = repeat("x", 60000) --- ((1 to 200) map b) joinBy "," }'],
    ['parts of texts', 'do { var b = repeat("xy", 30000) --- (1 to 200) map ((b ++ $) splitBy "y") }'],
    ['bytes', 'do { var b = repeat("x", 60000) --- (1 to 200) map ((i) -> [i, b as Binary]) }'],
    ['lists of lists', '(1 to 1000) map ((i) -> (1 to 1000) map i)'],
    ['lists that are selected from', 'do { var l = (1 to 50000) map $ --- (1 to 200) map l[$ to 49000] }'],
    ['lists that are added to', 'do { var l = (1 to 50000) map $ --- (1 to 200) map (l ++ [$]) }'],
    ['pushed items', 'do { var l = (1 to 50000) map $ --- (1 to 200) map (l << $) }'],
    ['small objects', '(1 to 90000) map {a: $, b: $}'],
    ['small lists', '(1 to 90000) map [$, $]'],
    ['small texts', '(1 to 90000) map ("number " ++ $ ++ " of very many")'],
    [
      'objects with computed keys',
      '(1 to 400) map ((i) -> (1 to 400) reduce ((n, acc = {}) -> acc ++ {"k$(n)": i}))',
    ],
    ['dates', '(1 to 90000) map now()'],
    ['long numbers', '(1 to 2000) map (payload + $)'],
    ['flattened lists', 'do { var l = (1 to 50000) map $ --- (1 to 200) map flatten([l, [$]]) }'],
    [
      'written texts',
      'do { var l = (1 to 10000) map $ --- (1 to 200) map [$, write(l, "application/json")] }',
    ],
    [
      'read texts',
      'do { var t = write((1 to 10000) map $, "application/json") --- (1 to 200) map [$, read(t, "application/json")] }',
    ],
    ['characters', 'do { var b = repeat("x", 60000) --- (1 to 200) map ((i) -> (b filter ($ != "y"))) }'],
  ])('is bounded: %s', (_name, source) => {
    const started = busy();
    expect(
      kindOf(`import * from dw::core::Strings\n---\n${source}`, { backend }, '1'.repeat(5_000) as unknown),
    ).toBe('budget');
    expect(busy() - started).toBeLessThan(2_000);
  });

  it('is bounded: a part that a value holds many times, wherever it is written out', () => {
    const shared = '(1 to 100) reduce ((i, acc = []) -> [acc, acc])';
    const few = { backend, limits: { steps: 100_000 } };
    expect(kindOf(shared, few)).toBe('budget');
    expect(kindOf(`write(${shared}, "application/json")`, few)).toBe('budget');
    const { value } = compile(shared, { backend }).run();
    expect(() => toPlain(value)).toThrow(/more than 2000000 objects and lists/);
  }, 20_000);

  it('counts neither a text that is walked again nor what a growing text holds already', () => {
    const walked = '(1 to 1000) filter (payload contains "x$($)")';
    expect(kindOf(walked, { backend }, 'y'.repeat(100_000))).toBe('fine');
    const grown = '(1 to 5000) reduce ((i, acc = "") -> acc ++ "line of a file\n")';
    expect(kindOf(grown, { backend })).toBe('fine');
  });

  it('is bounded: joined texts that nobody keeps', () => {
    expect(kindOf('(1 to 90000) filter (("abc" ++ $) == "x")', { backend })).toBe('budget');
  });

  it('is counted beyond the part of the limit that is given out at once', () => {
    const source = 'sizeOf((1 to 300) filter ((i) -> (payload ++ payload) is String))';
    const limits = { textLength: 1e8, memory: 2 ** 30 + 2 ** 26 };
    const text = 'x'.repeat(5_000_000);
    expect(kindOf(source, { backend, limits }, text)).toBe('budget');
    expect(kindOf(source, { backend, limits: { ...limits, memory: 2 ** 31 } }, text)).toBe('fine');
  });

  it.each([
    'payload ++ payload',
    'payload flatMap [$, $]',
    'flatten([payload, payload])',
    '(1 to 1001) map 1',
    '(payload ++ (1 to 400)) << 1',
    '1 >> (payload ++ (1 to 400))',
    'payload reduce ((x, acc = {}) -> acc ++ {"a$(x)": 1, "b$(x)": 1})',
  ])('is no larger collection than allowed: %s', (source) => {
    const payload = Array.from({ length: 600 }, (_, i) => i);
    const limits = { collectionSize: 1000 };
    expect(kindOf(source, { backend, limits }, payload)).toBe('budget');
    expect(kindOf(source, { backend, limits: { collectionSize: 1300 } }, payload)).toBe('fine');
  });

  it('is nested as deep as allowed and no deeper', () => {
    expect(kindOf(down(45), { backend, limits: { depth: 50 } })).toBe('fine');
    expect(kindOf(down(55), { backend, limits: { depth: 50 } })).toBe('budget');
  });

  it('says which limit it is, and the next run begins anew', () => {
    const script = compile('upper(payload)', { backend, limits: { memory: 50_000 } });
    expect(() => script.run({ payload: 'x'.repeat(100_000) })).toThrow(/50000 characters and cells/);
    for (let i = 0; i < 10; i++)
      expect(script.run({ payload: 'x'.repeat(10_000) }).value).toHaveLength(10_000);
  });

  it.each([
    [
      'a sort',
      'do { var l = (1 to 100000) map (100000 - $) --- (1 to 100) map ((i) -> sizeOf(l orderBy $) + i) }',
    ],
    [
      'groups',
      'do { var l = (1 to 100000) map $ --- (1 to 100) map ((i) -> sizeOf(l groupBy ($ as String)) + i) }',
    ],
    [
      'distinct items',
      'do { var l = (1 to 100000) map $ --- (1 to 100) map ((i) -> sizeOf(l distinctBy $) + i) }',
    ],
    [
      'joined items',
      'do { var l = (1 to 100000) map $ --- (1 to 1000) map ((i) -> sizeOf(l joinBy ",") + i) }',
    ],
    [
      'reading',
      'do { var t = write((1 to 100000) map $, "application/json") --- (1 to 1000) map (sizeOf(read(t, "application/json")) + $) }',
    ],
  ])('ends in time: %s', (_name, source) => {
    const limits = { timeMs: 60, memory: 1e12, steps: 1e12 };
    const started = busy();
    expect(kindOf(source, { backend, limits })).toBe('budget');
    expect(busy() - started).toBeLessThan(1_500);
  });
});

/** Milliseconds this process has worked: what others do on the machine does not count. */
function busy(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

describe('a numeral', () => {
  it.each(['1e999999999', '1e-999999999', '1e20001', `1${'0'.repeat(20_001)}`])(
    '%# is no other number',
    (text) => {
      expect(kindOf(text)).toBe('syntax');
      expect(kindOf(`payload match { case ${text} -> 1 else -> 2 }`)).toBe('syntax');
      expect(parse(text).problems).toHaveLength(1);
    },
  );

  it('is exact up to the bound', () => {
    expect(compile('sizeOf(1e300 as String)').run().value).toBe(301);
    expect(compile('1e20000 / 1e19999').run().value).toBe(10);
    expect(compile('0e5').run().value).toBe(0);
    expect(compile('1.5e3').run().value).toBe(1500);
  });
});
