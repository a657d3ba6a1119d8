import { describe, expect, it } from 'vitest';
import { compile, parse, StarlangError, toPlain, writeText, type Limits } from './index.js';

const value = (source: string, bindings: Record<string, unknown> = {}) =>
  toPlain(compile(source).run(bindings).value);
const json = (source: string, bindings: Record<string, unknown> = {}) =>
  writeText(compile(source).run(bindings).value, 'json', { indent: false });

function failure(body: () => unknown): StarlangError {
  try {
    body();
  } catch (error) {
    if (error instanceof StarlangError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('the expressions of the contract', () => {
  it('builds a tool argument from the payload', () => {
    expect(value('{ "query": payload, "limit": 5 }', { payload: 'cats' })).toEqual({
      query: 'cats',
      limit: 5,
    });
  });

  it('judges a validation rule', () => {
    expect(value('args["amount"] > 0', { args: { amount: 3 } })).toBe(true);
    expect(value('args["amount"] > 0', { args: { amount: -3 } })).toBe(false);
    expect(failure(() => value('args["amount"] > 0', { args: {} })).message).toContain('Null');
  });

  it('reads a header through a function the engine binds', () => {
    expect(value('header("X-Intent")', { header: (name: string) => `<${name}>` })).toBe('<X-Intent>');
  });

  it('joins a prompt with the payload', () => {
    expect(value('"Summarize: " ++ payload', { payload: 'text' })).toBe('Summarize: text');
  });

  it('takes the document of the tools page', () => {
    const script = compile(
      '%sl 2.0\noutput application/json\ninput payload\n---\n{ "results": [], "total": 0 }\n',
    );
    expect(script.mimeType).toBe('application/json');
    expect(JSON.parse(script.run({ payload: null }).text())).toEqual({ results: [], total: 0 });
  });
});

describe('precedence', () => {
  it.each([
    ['[1, 2] contains 5 default true', 'false'],
    ['not false or true', 'false'],
    ['!false or true', 'true'],
    ['"3" as Number * 2', '6'],
    ['null default "a" ++ "b"', '"ab"'],
    ['[3, 1, 2] filter $ > 1 orderBy $ map $ * 2', '[4,6]'],
    ['1 + 2 * 3 == 7 and 2 < 3', 'true'],
    ['-2 + 3', '1'],
  ])('%s is %s', (source, expected) => {
    expect(json(source)).toBe(expected);
  });

  it('finds the end of a computed key behind a regular expression', () => {
    const source = '{(if (payload is Null) "a/b" replace /b/ with "/" else "/"): 1, (using (x = 1) /c/): 2}';
    expect(parse('{(if (true) /a+/ else "/"): 1}').problems).toEqual([]);
    expect(parse(source).problems).toEqual([]);
  });

  it('warns of a condition that an infix function swallows', () => {
    const { warnings } = compile('payload contains "x" or payload contains "y"');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toContain('contains');
    expect(compile('(payload contains "x") or (payload contains "y")').warnings).toHaveLength(0);
    expect(compile('payload filter $ > 3').warnings).toHaveLength(0);
  });
});

describe('numbers', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['0.1 + 0.2 == 0.3', 'true'],
    ['12.34 + 12.34 + 9.95', '34.63'],
    ['1 / 3', '0.3333333333333333333333333333333333'],
    ['10 / 4', '2.5'],
    ['9007199254740993 + 1', '9007199254740994'],
    ['123456789012345678901234567890 * 10', '1234567890123456789012345678900'],
    ['1.1 * 1.1', '1.21'],
    ['1e3', '1000'],
    ['2 pow 100', '1267650600228229401496703205376'],
    ['(5890840712243077 as String)', '"5890840712243077"'],
    ['0.5 as String {format: "0"}', '"0"'],
    ['1234.5 as String {format: "#,##0.00"}', '"1,234.50"'],
  ])('%s = %s', (source, expected) => expect(json(source)).toBe(expected));

  it('keeps 64-bit ids from text to text', () => {
    const text = '{"id":9223372036854775807,"p":0.12345678901234567890123}';
    expect(json(`read(payload, "application/json")`, { payload: text })).toBe(text);
    expect(toPlain(compile('payload.id').run({ payload: { id: 9223372036854775807n } }).value)).toBe(
      9223372036854775807n,
    );
  });
});

describe('objects', () => {
  it('keep duplicate and number-like keys in order', () => {
    expect(json('{b: 1, "1": 2, a: 3} ++ {b: 4}')).toBe('{"b":1,"1":2,"a":3,"b":4}');
  });

  it('never show a member of Object.prototype', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']) {
      expect(value(`payload.${name}`, { payload: { a: 1 } })).toBeNull();
      expect(value(`payload["${name}"]`, { payload: { a: 1 } })).toBeNull();
      expect(value(`{a: 1}.${name}`)).toBeNull();
      expect(value(`[{a: 1}].${name}`)).toBeNull();
    }
  });

  it('can have keys of such names without touching a prototype', () => {
    const text = '{"__proto__": {"polluted": true}, "constructor": 1}';
    expect(json('read(payload, "json").constructor', { payload: text })).toBe('1');
    const out = value('read(payload, "json")', { payload: text }) as Record<string, unknown>;
    expect(Object.getPrototypeOf(out)).toBe(Object.prototype);
    expect(Object.keys(out)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(value('({(payload): {x: 1}}).x', { payload: '__proto__' })).toBeNull();
    expect(json('payload groupBy $', { payload: ['__proto__', 'a'] })).toBe(
      '{"__proto__":["__proto__"],"a":["a"]}',
    );
  });

  it('leave the script as ordinary objects and never change an input', () => {
    const payload = Object.freeze({ a: Object.freeze({ b: 1 }) });
    expect(value('payload update { case .a.b -> 2 case .c! -> 3 }', { payload })).toEqual({
      a: { b: 2 },
      c: 3,
    });
    expect(payload).toEqual({ a: { b: 1 } });
  });
});

describe('inputs of the host', () => {
  it('are taken as values of the language', () => {
    const payload = new Map<string, unknown>([
      ['when', new Date(0)],
      ['big', 2n ** 70n],
      ['raw', Buffer.from('hi')],
      ['f', () => 1],
    ]);
    expect(json('payload', { payload })).toBe(
      '{"when":"1970-01-01T00:00:00Z","big":1180591620717411303424,"raw":"hi"}',
    );
    expect(value('typeOf(payload.when) as String', { payload })).toBe('DateTime');
  });

  it('cannot be called through', () => {
    expect(failure(() => value('payload.f()', { payload: { f: () => 1 } })).kind).toBe('type');
  });

  it('that refer to themselves are refused', () => {
    const payload: Record<string, unknown> = {};
    payload.self = payload;
    expect(failure(() => compile('payload').run({ payload }))).toBeInstanceOf(Error);
  });
});

describe('problems', () => {
  it('are found several at once, each with its place', () => {
    const { problems } = parse('{\n a: 1 +,\n b: [2,\n c: ]\n}');
    expect(problems.length).toBeGreaterThan(1);
    expect(problems[0]).toMatchObject({ line: 2, kind: 'syntax' });
    expect(problems[0]?.excerpt).toContain('^');
  });

  it('suggest a name', () => {
    const error = failure(() => compile('uper(payload)'));
    expect(error.problems[0]).toMatchObject({
      kind: 'reference',
      hint: 'did you mean "upper"?',
      line: 1,
      column: 1,
    });
    expect(failure(() => compile('payloda.a')).problems[0]?.hint).toBe('did you mean "payload"?');
  });

  it('of a call name the function, the types and the place', () => {
    const error = failure(() => value('{a: upper([1])}'));
    expect(error.message).toContain('upper');
    expect(error.message).toContain('1: Array ([1])');
    expect(error.message).toContain('upper(text: String): String');
    expect(error.problems[0]).toMatchObject({ line: 1, column: 5 });
    expect(error.trace[0]).toBe('upper (line: 1, column: 5)');
  });

  it('refuse what reaches the host', () => {
    for (const source of [
      'envVar("HOME")',
      'native("x")',
      'import java!java::lang::System\n---\n1',
      'eval("1")',
    ])
      expect(failure(() => compile(source)).kind).toMatch(/forbidden|reference/);
    expect(failure(() => compile('readUrl("file:///etc/passwd")').run()).kind).toBe('forbidden');
  });
});

describe('budgets', () => {
  const small: Partial<Limits> = {
    timeMs: 2_000,
    steps: 2_000_000,
    textLength: 1_000_000,
    collectionSize: 200_000,
  };
  it.each([
    ['deep recursion', 'fun f(n) = f(n + 1) + 1\n---\nf(0)'],
    ['a doubling text', '(1 to 60) reduce ((i, acc = "ab") -> acc ++ acc)'],
    ['a doubling list', '(1 to 60) reduce ((i, acc = [1, 2]) -> acc ++ acc)'],
    ['an endless list', '(1 to 1000000000000) map $'],
    ['a cross join', '(1 to 5000) flatMap ((i) -> (1 to 5000) map i)'],
    ['a growing number', '(1 to 60) reduce ((i, acc = 12345678901234567890) -> acc * acc)'],
    ['a busy loop', '(1 to 2000) map ((i) -> sizeOf((1 to 2000) filter $ > i))'],
  ])('stop %s', (_name, source) => {
    const started = performance.now();
    const error = failure(() => compile(source).run({}, { limits: small }).text());
    expect(error.kind).toBe('budget');
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  it('let a regular expression bomb end in no time', () => {
    const started = performance.now();
    expect(value(`payload matches /(a+)+$/`, { payload: `${'a'.repeat(40)}!` })).toBe(false);
    expect(value(`payload contains /(x|xx)*y/`, { payload: 'x'.repeat(50_000) })).toBe(false);
    const look = failure(() => value(`payload matches /(?=(a+)+$).*b/`, { payload: `${'a'.repeat(40)}!` }));
    expect(look.kind).toBe('budget');
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('report a script that is nested too deeply instead of crashing', () => {
    expect(failure(() => compile('['.repeat(100_000))).kind).toBe('syntax');
    expect(value(Array.from({ length: 3000 }, () => '1').join(' + '))).toBe(3000);
  });
});

describe('a durable replay', () => {
  it('gets its clock, random numbers and identifiers from outside', () => {
    const env = { now: () => new Date(0), random: () => 0.5, uuid: () => 'u-1' };
    const { value: out } = compile('{n: now(), r: random(), i: randomInt(10), u: uuid()}').run({}, env);
    expect(toPlain(out)).toEqual({ n: '1970-01-01T00:00:00Z', r: 0.5, i: 5, u: 'u-1' });
  });
});
