import { describe, expect, it, vi } from 'vitest';
import { compile, listFunctions } from '../index.js';
import { onBoth } from '../testing/both-backends.js';

const ORDERS = [
  { id: 1, customer: 'Ann', price: 12.34, count: 2, tags: ['a', 'b'], address: { city: 'Bonn' } },
  { id: 2, customer: 'Bob', price: 0.1, count: 3, tags: [], address: null },
  { id: 3, customer: 'Ann', price: 1e15, count: 9007199254740991, tags: ['c'] },
];
const BINDINGS = { payload: { orders: ORDERS, name: 'shop', empty: [], nothing: null }, vars: { rate: 2 } };

const SPENT = { closures: 'error budget', generated: 'error budget' };

describe('both back ends', () => {
  it.each(
    listFunctions().flatMap(({ module, examples }) => examples.map(({ expr }) => [module, expr] as const)),
  )('agree on the example %s: %s', (module, expr) => {
    const header = module === 'dw::Core' ? '' : `import * from ${module}\n---\n`;
    const { closures, generated } = onBoth(header + expr);
    expect(generated).toBe(closures);
  });

  it.each([
    'payload.orders map {id: $.id, who: upper($.customer), total: $.price * $.count, at: $$}',
    'payload.orders map ((order, i) -> "$(i): $(order.customer) $(order.price)")',
    'payload.orders filter $.count > 2 map $.customer ++ "!" ++ $.id',
    'payload.orders groupBy $.customer mapObject {($$): sum($.count)}',
    'payload.orders groupBy $.customer pluck {name: $$, n: sizeOf($), i: $$$}',
    'payload.orders orderBy -$.price map $.id',
    'payload.orders orderBy $.customer map $.id',
    'payload.orders distinctBy $.customer map $.id',
    'payload.orders flatMap $.tags',
    'payload.orders reduce ((order, total = 0) -> total + order.count)',
    'payload.orders.count reduce ($$ + $)',
    'payload.empty reduce ($$ + $)',
    'payload.orders map $.address.city default "none"',
    'payload.orders map ($.address.city ++ "x")',
    'payload.orders map $.constructor',
    'payload.orders map $.toString default $.id',
    'payload.nothing map $.id',
    'payload.name map $.id',
    'payload.name filter $ > "m"',
    'payload.name groupBy $',
    'payload.orders filter $.id',
    'payload.orders filter (($.id mod 2) == 0 or $.customer == "Ann")',
    'payload.orders map (if ($.id > 1) $.id * 2 else "one")',
    'payload.orders map ($.id match { case 1 -> "one" case x if (x == 2) -> "two $x" else y -> y + 0.5 })',
    'payload.orders map ($.customer match { case matches /A(.*)/ -> $[1] case is String -> "text" })',
    'payload.orders map ($.price match { case is Number -> $ })',
    '{a: 1, "b c": 2, (if (true) "d" else "e"): 3, (f: 4) if (payload.nothing == null), (payload.orders[0])}',
    '{"1": 1, "0": 2, a: 3, a: 4}',
    '{"__proto__": 1, constructor: 2}',
    '[1, (2) if (false), 3 + 4]',
    'var rate = vars.rate\nvar twice = rate * 2\nfun f(x) = x * twice\nfun g(x: Number, y = 2): Number = f(x) + y\n---\npayload.orders map g($.id)',
    'fun fac(n) = if (n <= 1) 1 else n * fac(n - 1)\n---\nfac(25)',
    'fun even(n) = if (n == 0) true else odd(n - 1)\nfun odd(n) = if (n == 0) false else even(n - 1)\n---\n[even(10), odd(10)]',
    'fun over(x: String) = "text"\nfun over(x: Number) = "number"\n---\n[over("a"), over(1), over(true)]',
    'fun f(x) = x.a.b\n---\nf("x")',
    'fun loop(n) = loop(n + 1)\n---\nloop(0)',
    'var a = a\n---\na',
    'payload.orders map do { var x = $.id fun h(y) = y + x --- h(x) + x }',
    '(1 to 3) map ((n) -> (1 to n) map ((m) -> n * m))',
    '[1, 2] map ((a) -> (b) -> a + b) map ((f) -> f(10))',
    'do { var fs = [1, 2] map ((a) -> () -> a) --- fs map $() }',
    '[[1, 2], [3]] map ($ map ($ + 1))',
    '[1, 2] map "constant"',
    '[1, 2] map payload.name',
    'fun f(x) = x + 1\n---\n[1, 2] map f',
    '[1, 2] map ((a, b, c) -> c)',
    '[1, 2] map (() -> $)',
    '["b", "a", null] orderBy $',
    '[{a: 1}] map {a: $.a, b: -$.a, c: !($.a == 1), d: not ($.a > 0)}',
    '1 + "x"',
    '"a" < 1',
    '1 / 0',
    '[0.1 + 0.2, 0.1 * 3, 1 - 0.9, 9007199254740991 + 2, 123456789 * 987654321, -0.5 * 0, 1.10]',
    'null ++ "a"',
    'payload.orders["x"]',
    '[payload.orders[0].id, payload.orders[-1].id, payload.orders[9]]',
    'payload.orders..city',
    'payload.orders[?($.id > 1)].id',
    'payload.orders.*id',
    'payload.orders.id!',
    'payload.zip?',
    'payload.orders map ($.price as String {format: "0.00"})',
    'payload.orders map ($.id as String)',
    '"12" as Number + 1',
    '"x" as Number default 3',
    '"x" is String and 1 is Number and !(1 is String)',
    'payload update { case .name -> upper($) case n at .orders[0].id -> n + 1 }',
    'using (a = 1, b = a + 1) a + b',
    'log("seen", payload.name)',
    'import fail from dw::Runtime\n---\npayload.orders map fail("no " ++ $.id)',
    'import try from dw::Runtime\n---\ntry(() -> payload.orders map ($.customer + 1))',
    '[1, 2] then ($[0] + 1)',
    'null onNull 3',
    '??? default 2',
    'payload.orders map ((o) -> o.tags filter ($ == "a") map ((t) -> {t: t, o: o.id}))',
    '(payload.orders map $.price) then sum($)',
    'sum(payload.orders map $.price)',
    'payload.orders maxBy $.price',
    'payload.name splitBy "" map (c, i) -> c ++ i',
    'payload mapObject (v, k, i) -> {(upper(k)): i}',
    'payload filterObject ($$ == "name")',
    'payload filterObject $',
    '[1, 2, 3] reduce ((x, acc = {}) -> acc ++ {(x as String): x})',
    '[true, false] and true',
    'if (1) 2 else 3',
    'unless (true) 1 else 2',
    '"\\u2028 $(payload.name) \\" \\\\ \\` </script>"',
    '{"a\\"b": payload."na\\"me", "]}": 1}',
    'read("<a x=\'1\'><b y=\'2\'>t</b><b>u</b></a>", "application/xml") then ($.a.*b map {y: $.@y, t: $})',
    'read("<a><b y=\'2\'>t</b></a>", "application/xml").a.b ++ "x"',
  ])('agree on %s', (source) => {
    const { closures, generated } = onBoth(source, BINDINGS);
    expect(generated).toBe(closures);
  });

  it('keep their budgets', () => {
    const env = { limits: { steps: 10_000, depth: 64 } };
    for (const source of [
      '(1 to 1000000) map $',
      '(1 to 1000) map ((a) -> (1 to 1000) map a)',
      'fun f(n) = f(n + 1)\n---\nf(0)',
      'fun f(n) = [n] map f(n)\n---\nf(0)',
      '(1 to 30) reduce ((x, acc = "0123456789") -> acc ++ acc)',
    ]) {
      const limits = { ...env.limits, textLength: 100_000 };
      expect(onBoth(source, {}, {}, { limits })).toEqual(SPENT);
    }
    const { closures, generated } = onBoth('(1 to 5000) map $', {}, {}, env);
    expect(closures).toContain('value');
    expect(generated).toBe(closures);
    const started = performance.now();
    expect(
      onBoth(
        '(1 to 1000000) map ((a) -> sizeOf((1 to 1000) map ($ + a)))',
        {},
        {},
        { limits: { timeMs: 40 } },
      ),
    ).toEqual(SPENT);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it.each([
    'payload.list map 1 + $',
    'payload.list filter $ > 0',
    'payload.list flatMap [$]',
    'payload.list groupBy "$($ mod 3)"',
    'payload.list distinctBy ($ mod 3)',
    'payload.list orderBy -$',
    'payload.list reduce ($$ + $)',
    'payload.list reduce ((x, acc = 0) -> acc + x)',
    'payload.object mapObject {($$): $}',
    'payload.object filterObject $ > 0',
    'payload.object pluck $$',
    'payload.list[?($ > 0)]',
    'payload.items.a',
    'payload.items.*a',
    'payload..a',
    'payload.list == payload.other',
    'payload.list contains -1',
    'payload.list - 1',
    'sum(payload.list)',
    'payload.list joinBy ","',
  ])('count the turns of %s', (source) => {
    const list = Array.from({ length: 5000 }, (_, i) => i + 1);
    const object = Object.fromEntries(list.map((i) => [`k${i}`, i]));
    const payload = { list, other: [...list], object, items: list.map((a) => ({ a })) };
    expect(onBoth(source, { payload }, {}, { limits: { steps: 2500 } })).toEqual(SPENT);
    const { closures, generated } = onBoth(source, { payload }, {}, { limits: { steps: 200_000 } });
    expect(closures).toContain('value');
    expect(generated).toBe(closures);
  });

  it('count the same steps', () => {
    const source = '(1 to 50) map ((a) -> (1 to 50) filter ($ > a) map ($ + a)) reduce (($$ ++ $))';
    for (let steps = 1000; steps < 12_000; steps += 1000) {
      const { closures, generated } = onBoth(source, {}, {}, { limits: { steps } });
      expect(generated).toBe(closures);
    }
  });
});

describe.each(['closures', 'generated'] as const)('texts and numbers side by side, with %s', (backend) => {
  it.each([
    ['"n" ++ 1.5', 'n1.5'],
    ['2 ++ "n"', '2n'],
    ['"n" ++ 1e21', 'n1000000000000000000000'],
    ['"n" ++ -0.0000001', 'n-0.0000001'],
    ['"2024-05-01" ++ 5', '2024-05-015'],
    ['1 ++ 2', '12'],
  ])('%s', (source, value) => {
    expect(compile(source, { backend }).run().value).toBe(value);
  });
});

describe('the back end', () => {
  it('changes when a script has run often', () => {
    const script = compile('payload.a + 1');
    for (let i = 1; i < 20; i++) expect(script.run({ payload: { a: i } }).value).toBe(i + 1);
    expect(script.backend).toBe('closures');
    for (let i = 0; i < 2; i++) expect(script.run({ payload: { a: 1 } }).value).toBe(2);
    expect(script.backend).toBe('generated');
    expect(script.run({ payload: { a: 2 } }).value).toBe(3);
  });

  it('changes after few runs over much data', () => {
    const script = compile('payload map $ + 1');
    const payload = Array.from({ length: 5_000 }, (_, i) => i);
    const first = script.run({ payload }).value;
    expect(script.run({ payload }).value).toEqual(first);
    expect(script.backend).toBe('generated');
  });

  it('changes without a limit of steps too', () => {
    const script = compile('1', { limits: { steps: Number.POSITIVE_INFINITY } });
    for (let i = 0; i < 30; i++) script.run();
    expect(script.backend).toBe('generated');
  });

  it('stays what it was told to be', () => {
    const script = compile('1', { backend: 'closures' });
    for (let i = 0; i < 50; i++) script.run();
    expect(script.backend).toBe('closures');
    expect(compile('1', { backend: 'generated' }).backend).toBe('generated');
  });

  it('is closures where the process forbids code from text', async () => {
    vi.resetModules();
    vi.stubGlobal('Function', function () {
      throw new EvalError('Code generation from strings disallowed for this context');
    });
    try {
      const fresh = await import('../index.js');
      const script = fresh.compile('payload map $ + 1', { backend: 'generated' });
      expect(script.backend).toBe('closures');
      expect(script.run({ payload: [1] }).value).toEqual([2]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('is closures for what is too large or too deep', () => {
    const large = compile(`[${'1 + payload, '.repeat(30_000)}]`, { backend: 'generated' });
    expect(large.backend).toBe('closures');
    expect(large.run({ payload: 1 }).value).toHaveLength(30_000);
  });
});
