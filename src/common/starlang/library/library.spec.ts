import { describe, expect, it } from 'vitest';
import { compile, listFunctions, readText, writeText } from '../index.js';

const all = listFunctions();

/** The workspace of the examples: every file of it holds an order. */
const world = { readResource: () => ({ text: '{"id": 1}', mime: 'application/json' }) };

describe('the library', () => {
  it.each(
    all.flatMap((fn) =>
      fn.examples.map((example) => [fn.module, fn.name, example.expr, example.result] as const),
    ),
  )('%s %s: %s', (module, _name, expr, result) => {
    const header = module === 'dw::Core' ? '' : `import * from ${module}\n---\n`;
    const value = compile(header + expr).run({}, world).value;
    expect(writeText(value, 'json', { indent: false })).toBe(
      writeText(readText(result, 'json'), 'json', { indent: false }),
    );
  });

  it('says in one line what each function does, and shows it', () => {
    for (const { name, doc, signatures, examples } of all) {
      expect(`${name}: ${examples.length > 0}`).toBe(`${name}: true`);
      expect(`${name}: ${doc}`).toMatch(/^\S+: [A-Z].+[.?]$/);
      expect(signatures.length).toBeGreaterThan(0);
    }
  });

  it('has every function of the core', () => {
    const names = new Set(all.filter(({ module }) => module === 'dw::Core').map(({ name }) => name));
    const expected =
      'abs avg ceil contains daysBetween distinctBy endsWith entriesOf filter filterObject find flatMap flatten floor groupBy ' +
      'indexOf isBlank isDecimal isEmpty isEven isInteger isLeapYear isOdd joinBy keysOf lastIndexOf log lower map mapObject ' +
      'match matches max maxBy min minBy -- mod namesOf now onNull orderBy pluck ++ pow random randomInt read readUrl reduce ' +
      'replace round scan sizeOf splitBy sqrt startsWith sum then to trim typeOf unzip upper uuid valuesOf with write xsiType zip';
    expect(expected.split(' ').filter((name) => !names.has(name))).toEqual([]);
  });
});
