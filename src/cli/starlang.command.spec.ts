import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from './program.js';
import { recordedTerminal } from './testing/recorded-terminal.js';

const run = (...words: string[]) => runIn('/', ...words);

async function runIn(
  folder: string,
  ...words: string[]
): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordedTerminal({}, { folder });
  const code = await runCommand(['starlang', ...words], terminal);
  return { code, ...terminal.written };
}

const home = mkdtempSync(join(tmpdir(), 'helix-starlang-'));
const file = (name: string, text: string) => writeFileSync(join(home, name), text);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('helix starlang run of files', () => {
  file('Rates.sl', 'var rate = 2\n');
  file('rates.json', '{"eur": 3}');
  file(
    'convert.sl',
    'import * from Rates\n---\npayload.a map ($ * rate * readUrl("rates.json", "application/json").eur)',
  );
  file('rows.csv', 'a;b\n1;2\n');
  file('request.json', '{"method": "POST"}');
  file('broken.json', '{"a": ');
  file('rows.dat', 'a,b\n5,6\n');
  file('declared.sl', 'input payload application/csv\n---\npayload.b');

  it('reads inputs with types, modules and files beside the script', async () => {
    const words = ['--input', 'rows.csv', '--type', 'application/csv; separator=";"'];
    const { out, code, err } = await runIn(home, 'run', 'convert.sl', ...words);
    expect({ out, code, err }).toEqual({ out: '[\n  6\n]\n', code: 0, err: '' });
  });

  it('binds any name, and reads only what the script uses', async () => {
    const words = [
      '--input',
      'attributes=request.json',
      '--input',
      'extra=rows.csv',
      '--input',
      'broken.json',
    ];
    expect(await runIn(home, 'run', '--expr', '[attributes.method, sizeOf(extra)]', ...words)).toMatchObject({
      code: 0,
      out: '[\n  "POST",\n  1\n]\n',
    });
    expect(await runIn(home, 'run', '--expr', 'payload', ...words)).toMatchObject({ code: 1 });
  });

  it('lets the input directive of the script say the type', async () => {
    expect((await runIn(home, 'run', 'declared.sl', '--input', 'rows.dat')).out).toBe('[\n  "6"\n]\n');
  });

  it('says what does not go together, exit 1', async () => {
    expect((await runIn(home, 'run', '-', '--input', '-')).err).toContain('not both');
    expect((await runIn(home, 'run', '--expr', '1', '--type', 'x=text/plain')).err).toContain('no --input');
  });

  it('checks with modules and further names', async () => {
    expect((await runIn(home, 'check', 'convert.sl')).out).toBe('convert.sl: ok\n');
    file('names.sl', 'extra ++ other');
    expect((await runIn(home, 'check', 'names.sl', '--input', 'extra')).err).toContain(
      '"other" is not known',
    );
  });
});

describe('helix starlang', () => {
  it('runs an expression', async () => {
    expect(await run('run', '--expr', '[1, 2] map ($ * 2)')).toMatchObject({
      code: 0,
      out: '[\n  2,\n  4\n]\n',
    });
  });

  it('shows where an expression is wrong, exit 1', async () => {
    const { code, err } = await run('run', '--expr', 'uper("a")');
    expect(code).toBe(1);
    expect(err).toContain('1| uper("a")\n   ^^^^\ndid you mean "upper"?');
  });

  it('lists the functions by module', async () => {
    const { code, out } = await run('functions');
    expect(code).toBe(0);
    expect(out).toMatch(/^dw::Core\n/);
    expect(out).toMatch(/^dw::util::Diff\n {2}diff {2}/m);
  });

  it('shows all there is to know of one function', async () => {
    const { out } = await run('functions', 'capitalize');
    expect(out).toContain('capitalize  import * from dw::core::Strings');
    expect(out).toContain('capitalize(text: String): String');
    expect(out).toMatch(/> capitalize\(.*\)\n {4}"/);
  });

  it('finds by module and by a word of the sentence', async () => {
    expect((await run('functions', 'Periods')).out).toMatch(/^dw::core::Periods\n/);
    expect((await run('functions', 'logarithm')).out).toContain('log10');
  });

  it('gives a program JSON', async () => {
    const { out } = await run('functions', 'upper', '--json');
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ name: 'upper', module: 'dw::Core', arity: [1, 1] }),
    ]);
  });

  it('says when there is none, exit 1', async () => {
    expect(await run('functions', 'xyzzy')).toMatchObject({ code: 1, out: '' });
  });
});
