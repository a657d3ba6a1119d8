import * as fc from 'fast-check';

const NAMES = fc.constantFrom('payload', 'vars', 'args', 'x', 'y');
const LITERALS = fc.oneof(
  fc.integer({ min: -3, max: 1e6 }).map(String),
  fc.constantFrom(
    '0',
    '1',
    '2',
    '0.1',
    '1.50',
    '9007199254740991',
    '1e20',
    '"a"',
    '""',
    '"12"',
    'true',
    'false',
  ),
  fc.constantFrom('null', '[]', '{}', '|2024-01-01|', '/a/', '$', '$$', '$$$', '1 to 3', '(3 to 1)'),
  fc.string({ maxLength: 5 }).map((text) => JSON.stringify(text).replaceAll('$', '\\$')),
);
const INFIX = fc.constantFrom(
  ...'+ - * / == != ~= < > <= >= and or ++ -- default contains mod to << >>'.split(' '),
  ...'map filter reduce flatMap groupBy orderBy distinctBy mapObject filterObject pluck maxBy then onNull joinBy'.split(
    ' ',
  ),
);
const CALLS = fc.constantFrom(
  ...'upper lower trim sizeOf sum isEmpty typeOf flatten keysOf valuesOf max abs round floor isEven log not'.split(
    ' ',
  ),
);
const SELECTORS = fc.constantFrom(
  '.a',
  '.b',
  '.*a',
  '..a',
  '[0]',
  '[-1]',
  '[0 to 1]',
  '.constructor',
  '.__proto__',
  '.a?',
  '.a!',
  '[?($ == 1)]',
  '["a"]',
);

/** Scripts of every construct, most of them wrong for most data. `x`, `y` and the dollars are always bound. */
export const randomScript: fc.Arbitrary<string> = fc
  .letrec<{ expr: string }>((tie) => ({
    expr: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      LITERALS,
      NAMES,
      fc.tuple(tie('expr'), INFIX, tie('expr')).map(([a, op, b]) => `(${a}) ${op} (${b})`),
      fc.tuple(tie('expr'), INFIX, tie('expr')).map(([a, op, b]) => `(${a}) ${op} ((x, y) -> ${b})`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `(${a}) reduce ((x, y = 0) -> ${b})`),
      fc.tuple(CALLS, tie('expr')).map(([f, a]) => `${f}(${a})`),
      fc.tuple(tie('expr'), SELECTORS).map(([a, selector]) => `(${a})${selector}`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `[${a}, ${b}]`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `{a: ${a}, "b": ${b}}`),
      fc
        .tuple(tie('expr'), tie('expr'), tie('expr'))
        .map(([a, b, c]) => `{a: ${a}, ("k" ++ ${b}): 1, (c: ${c}) if (x == 1), (${a})}`),
      fc.tuple(tie('expr'), tie('expr'), tie('expr')).map(([a, b, c]) => `if (${a}) ${b} else (${c})`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `"<$(${a})|$(${b})>"`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `do { var x = ${a} fun y(n) = n ++ x --- ${b} }`),
      fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `do { fun f(x, y = 1) = ${a} --- f(${b}) }`),
      fc
        .tuple(tie('expr'), tie('expr'))
        .map(([a, b]) => `do { fun f(x: Number): String = ${a} --- f(${b}) }`),
      fc
        .tuple(tie('expr'), tie('expr'), tie('expr'))
        .map(
          ([a, b, c]) =>
            `((${a}) match { case 1 -> ${b} case is String -> ${c} case x if (x == null) -> $ case matches /a(.*)/ -> $[0] else y -> [y, ${b}] })`,
        ),
      tie('expr').map((a) => `((${a}) as Number)`),
      tie('expr').map((a) => `((${a}) as String)`),
      tie('expr').map((a) => `((${a}) is Object)`),
      tie('expr').map((a) => `-(${a})`),
      tie('expr').map((a) => `!(${a})`),
      tie('expr').map((a) => `((x) -> ${a})(1)`),
      tie('expr').map((a) => `(payload update { case .a -> ${a} })`),
    ),
  }))
  .expr.map((expr) => `var x = payload.a\nvar y = 2\n---\n[payload, vars] map (${expr})`);
