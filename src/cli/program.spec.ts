import { describe, expect, it } from 'vitest';
import { runCommand } from './program.js';
import { recordedTerminal } from './testing/recorded-terminal.js';

async function run(line: string, environment = {}): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordedTerminal(environment);
  const code = await runCommand(line.split(' ').filter(Boolean), terminal);
  return { code, ...terminal.written };
}

describe('helix', () => {
  it('prints help on standard output, exit 0', async () => {
    const { code, out, err } = await run('--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: helix');
  });

  it('has help for every command, with its options', async () => {
    const { out } = await run('--help');
    const names = [...out.matchAll(/^ {2}([a-z]+)(?: |\|)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help');
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const help = await run(`${name} --help`);
      expect({ name, code: help.code }).toEqual({ name, code: 0 });
      expect(help.out).toContain(`Usage: helix ${name}`);
    }
  });

  it('suggests the command that was meant, exit 1', async () => {
    const { code, err } = await run('tolls');
    expect(code).toBe(1);
    expect(err).toContain('Did you mean tools?');
  });

  it('refuses options it does not know, exit 1', async () => {
    expect((await run('tools --jsno')).code).toBe(1);
  });

  it('names every wrong variable of the environment, exit 2', async () => {
    const { code, err } = await run('tools', { PORT: 'x', LOG_LEVEL: 'loud' });
    expect(code).toBe(2);
    expect(err).toContain('PORT');
    expect(err).toContain('LOG_LEVEL');
  });
});
