import { describe, expect, it } from 'vitest';
import { runCommand } from './program.js';
import { recordedTerminal } from './testing/recorded-terminal.js';

async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordedTerminal();
  const code = await runCommand(['starlang', ...words], terminal);
  return { code, ...terminal.written };
}

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
