import { describe, expect, it } from 'vitest';
import { compile, writeText } from '../index.js';

const run = (module: string, expr: string) =>
  writeText(compile(`import * from dw::${module}\n---\n${expr}`).run().value, 'json', { indent: false });

describe('edges of the library', () => {
  it.each([
    ['core::Types', '[arrayItem(Array), arrayItem(Array<String>)]', '["Any","String"]'],
    ['Runtime', 'try(fail).error.message', '"Error"'],
    ['Runtime', 'do { fun one(n = 1) = n --- try(one).result }', '1'],
    ['core::Strings', 'charCodeAt("MC", -1)', '67'],
    ['core::Strings', 'charCodeAt("MC", -2)', '77'],
    ['core::Strings', 'unwrap("/abc/", "")', '"abc"'],
    ['core::Strings', 'unwrap("abc", "")', '"b"'],
    ['core::Strings', 'unwrap("--abc--", "--")', '"abc"'],
    ['core::Strings', 'unwrap("#A", "#")', '"A#"'],
    ['core::Strings', 'unwrap("A#", "#")', '"#A"'],
    ['core::Strings', 'unwrap("#", "#")', '"#"'],
    ['core::Strings', 'unwrap("", "")', '""'],
    ['core::Strings', 'unwrap(null, "#")', 'null'],
    ['util::Tree', '{a @(x: "", y: 1): "b", c: ""} filterTree ((value, path) -> value != "")', '{"a":"b"}'],
    [
      'util::Tree',
      '{r: {a @(x: "", y: 1): "b"} filterTree ((value, path) -> !isAttributeType(path) or value != "")}.r.a.@',
      '{"y":1}',
    ],
    [
      'util::Tree',
      '{a: [1], b: []} filterTree ((value, path) -> value is Array and !isEmpty(value))',
      '{"a":[]}',
    ],
    ['util::Tree', '[{a @(x: 1): 2}] filterObjectLeafs ((value, path) -> value != 1) map $.a', '[2]'],
    ['util::Tree', '{a: 1} nodeExists ((value, path) -> value is Object)', 'false'],
    ['util::Tree', '{a @(x: "q"): 1} nodeExists ((value, path) -> value == "q")', 'true'],
    ['util::Tree', '({a @(x: "q"): "b"} mapLeafValues upper($)).a.@x', '"Q"'],
    [
      'util::Values',
      '{p: {p: 1, q: [2]}, l: [{p: 3}]} mask "p" with ((old, path) -> "$(old)/$(sizeOf(path))")',
      '{"p":{"p":"1/2","q":[2]},"l":[{"p":"3/3"}]}',
    ],
    ['util::Values', 'do { ns n http://n --- {n#p: 2, p: 3} mask field(n, "p") with 0 }', '{"p":0,"p":3}'],
    ['util::Values', 'field("a")', '{"kind":"Object","namespace":null,"selector":"a"}'],
    ['Core', '"" reduce ($$ ++ $)', '""'],
    ['Core', '"" reduce ((c, all = "-") -> all ++ c)', '"-"'],
    ['util::Values', '{u: {n: 1}, u: {n: 2}} update ["u", "n"] with ($ * 10)', '{"u":{"n":10},"u":{"n":20}}'],
    ['util::Values', '{u: 1, u: 2, v: 3} update "u" with 0', '{"u":0,"u":0,"v":3}'],
    ['util::Values', '[{r: 1}, {r: 2}] update "r" with ($ + 1)', '[{"r":2},{"r":3}]'],
    ['util::Values', '{u: [{n: 1}, {n: 2}]} update ["u", 1, "n"] with 9', '{"u":[{"n":1},{"n":9}]}'],
  ])('%s: %s', (module, expr, result) => {
    expect(run(module, expr)).toBe(result);
  });

  it('says which text no format of a list fits', () => {
    expect(() =>
      run('util::Coercions', 'toDate("2023-28-03", [{format: "yyyy/MM/dd"}, {format: "yy"}])'),
    ).toThrow("Could not find a valid formatter for '2023-28-03'");
  });

  it('says so also of a list of one', () => {
    expect(() => run('util::Coercions', 'toNumber("0.005", [{format: "seconds"}])')).toThrow(
      "Could not find a valid formatter for '0.005'",
    );
  });

  it.each([
    '|2020-01-01| + |P999999999999999Y|',
    '|2020-01-01T00:00:00Z| + ("PT" ++ "9999999999999999999H") as Period',
    '1e30 as DateTime',
    '|2020-01-01| - |P9999999999Y|',
  ])('%s is no date', (expr) => {
    expect(() => run('Core', expr)).toThrow(/outside of the years|Cannot coerce/);
  });

  it('names the flag that is not there', () => {
    expect(() => run('Core', 'evaluateCompatibilityFlag("com.mulesoft.dw.legacySizeOfNumbers")')).toThrow(
      /There is no flag .*\n[\s\S]*did you mean "com.mulesoft.dw.legacySizeOfNumber"/,
    );
  });

  it.each(['location(1)', 'wait(1, 2)'])('%s is refused with a reason', (expr) => {
    expect(() => run('Runtime', expr)).toThrow(/is not part of Starlang/);
  });

  it('asks for as many arguments of null as of anything else', () => {
    expect(() => run('core::Strings', 'replaceAll(null, "a")')).toThrow(/replaceAll/);
    expect(run('core::Strings', 'leftPad(null, 2)')).toBe('null');
  });
});

describe('a format', () => {
  it('leaves a text alone: only dates and numbers have one', () => {
    expect(run('Core', '"22.30" as String {format: "\\$#,###.00"}')).toBe('"22.30"');
    expect(run('Core', '22.3 as String {format: "\\$#,###.00"}')).toBe('"$22.30"');
  });
});
