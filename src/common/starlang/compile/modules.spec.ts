import { describe, expect, it } from 'vitest';
import { compile, StarlangError, writeText, type CompileOptions } from '../index.js';

const FILES: Readonly<Record<string, string>> = {
  'shop::Prices': `%sl 2.0
import round2 from shop::Numbers
type Amount = Number
ns sh http://shop
var rate = 1.2
var doubled = rate * 2
fun gross(net: Amount): Amount = round2(net * rate)
fun gross(net: String) = gross(net as Number)
fun each(items, change: (item: Number) -> Number) = items map change($)
fun broken(x) =
  x.price + "a" * 2
`,
  'shop::Numbers': 'fun round2(n) = round(n * 100) / 100',
  'shop::Clean': '@TailRec()\nfun down(n) = if (n == 0) "done" else down(n - 1)',
  'a::A': 'import * from a::B\nfun fa() = fb()',
  'a::B': 'import * from a::A\nfun fb() = 1',
  'bad::Syntax': 'fun x() = (1 +\n',
  'bad::Input': '\nfun hidden(n) = payload',
  'bad::Name': 'import * from bad::Nobody',
  'bad::Cast': '\n\nfun cast(x) = x as Number',
};

const modules = (path: string) => (Object.hasOwn(FILES, path) ? FILES[path] : undefined);

const failure = (source: string, backend: CompileOptions['backend'] = 'closures'): StarlangError => {
  try {
    compile(source, { modules, backend }).run({ payload: 7 });
  } catch (error) {
    if (error instanceof StarlangError) return error;
    throw error;
  }
  throw new Error('it did not fail');
};

describe.each(['closures', 'generated'] as const)('modules of the workspace, with %s', (backend) => {
  it.each([
    ['import * from shop::Prices\n---\n[gross(10), gross("5"), doubled, rate]', '[12,6,2.4,1.2]'],
    ['import shop::Prices\n---\nPrices::gross(1)', '1.2'],
    ['import shop::Prices as P\n---\nP::gross(1) + P::rate', '2.4'],
    ['import gross as withTax, rate from shop::Prices\n---\nwithTax(2) + rate', '3.6'],
    ['shop::Prices::gross(10)', '12'],
    ['import * from shop::Prices\n---\n[1, 2] each ($ * rate)', '[1.2,2.4]'],
    ['import * from shop::Prices\n---\n[1, 2] map gross($)', '[1.2,2.4]'],
    ['import * from shop::Prices\nfun f(x: Amount) = x\n---\n["1", 2] map ((x) -> f(x))', '[1,2]'],
    ['import shop::Prices\n---\n1 is Prices::Amount', 'true'],
    ['fun f(n) = do { import * from shop::Prices --- gross(n) }\n---\n[1] map ((x) -> f(x))', '[1.2]'],
    ['import * from shop::Clean\n---\ndown(3000)', '"done"'],
    ['var rate = 3\nimport * from shop::Prices\n---\ngross(1)', '1.2'],
  ])('%s', (source, result) => {
    const script = compile(source, { modules, backend });
    expect(script.backend).toBe(backend);
    expect(writeText(script.run().value, 'json', { indent: false })).toBe(result);
  });

  it('says in which module a run failed', () => {
    const [problem] = failure('import * from bad::Cast\n---\ncast("x")', backend).problems;
    expect(problem).toMatchObject({ kind: 'coercion', module: 'bad::Cast', line: 3, column: 15 });
    expect(problem?.excerpt).toContain('3| fun cast(x) = x as Number');
    const { message } = failure('import * from bad::Cast\n---\ncast("x")', backend);
    expect(message).toContain('at cast (line: 3, column: 1)');
  });

  it('keeps what one module imports from the next one', () => {
    expect(failure('import * from shop::Prices\n---\nround2(1)', backend).message).toContain(
      'The name "round2" is not known',
    );
  });
});

describe('a module that cannot be used', () => {
  it.each([
    ['import * from shop::Price\n---\n1', /"shop::Price" is not known[\s\S]*line 1/],
    ['import * from shop::Prices\n---\ngros(1)', /did you mean "gross"/],
    ['import grosss from shop::Prices\n---\n1', /has no "grosss"[\s\S]*did you mean "gross"/],
    ['import * from a::A\n---\nfa()', /imports itself \(a::A → a::B → a::A\) \(a::B, line 1/],
    ['import * from bad::Syntax\n---\n1', /\(bad::Syntax, line \d/],
    ['import * from bad::Name\n---\n1', /"bad::Nobody" is not known \(bad::Name, line 1, column 1\)/],
    ['import * from bad::Input\n---\n1', /"payload" is not known \(bad::Input, line 2/],
  ])('%s', (source, message) => {
    expect(failure(source).message).toMatch(message);
  });

  it('is not looked for without somebody who reads modules', () => {
    expect(() => compile('import * from shop::Prices\n---\n1')).toThrow(/"shop::Prices" is not known/);
  });
});

describe('modules and names', () => {
  it('are parsed once however often they are named', () => {
    const asked: string[] = [];
    compile('import * from shop::Prices\nimport shop::Numbers\n---\nNumbers::round2(gross(1))', {
      modules: (path) => {
        asked.push(path);
        return modules(path);
      },
    });
    expect(asked.toSorted()).toEqual(['Numbers', 'shop::Numbers', 'shop::Prices']);
  });

  it('give each run values of its own', () => {
    const script = compile('import * from m\n---\nat', { modules: () => 'var at = now()' });
    const at = (iso: string) => script.run({}, { now: () => new Date(iso) }).text();
    expect(at('2024-01-01T00:00:00Z')).toContain('2024-01-01');
    expect(at('2025-01-01T00:00:00Z')).toContain('2025-01-01');
  });
});
