import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from 'prettier';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../src/cli/program.js';
import { componentFiles } from '../../src/cli/templates/component-files.js';
import { writeNew } from '../../src/cli/templates/write-new.js';
import { recordedTerminal } from '../../src/cli/testing/recorded-terminal.js';

const root = join(import.meta.dirname, '..', '..');

// Compiling the component takes its time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

async function helix(folder: string, words: readonly string[]) {
  const terminal = recordedTerminal({ HELIX_HOME: join(folder, '.home') }, { folder });
  const code = await runCommand(words, terminal);
  return { code, ...terminal.written };
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'helix-new-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A tree with the made component in its place, and all around it as in the checkout. */
const tree = await mkdtemp(join(tmpdir(), 'helix-new-'));
await mkdir(join(tree, 'src', 'components'), { recursive: true });
await symlink(join(root, 'src', 'common'), join(tree, 'src', 'common'));
await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
await writeFile(join(tree, 'package.json'), '{ "type": "module" }');
await writeNew(join(tree, 'src', 'components', 'web-hook'), componentFiles('web-hook'));
afterAll(() => rm(tree, { recursive: true, force: true }));

describe('helix new workspace', () => {
  it('makes one that validates without a warning, whose tests pass and cover all of it', async () => {
    const folder = await emptyFolder();
    const made = await helix(folder, ['new', 'workspace', 'mine']);
    expect(made).toMatchObject({ code: 0, err: '' });
    for (const name of await readdir(join(folder, 'mine'))) {
      expect(made.out).toContain(`mine/${name}`);
      expect(await readFile(join(folder, 'mine', name), 'utf8')).toMatch(/^# /);
    }
    expect(await helix(folder, ['validate', '--strict', 'mine'])).toMatchObject({ code: 0 });
    const tested = await helix(folder, ['test', 'mine', '--coverage-min', '100']);
    expect(tested).toMatchObject({ code: 0, err: '' });
  });

  it('overwrites nothing', async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, 'tools.yaml'), 'tools: []\n');
    expect(await helix(folder, ['new', 'workspace', '.'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty') as string,
    });
    expect(await readdir(folder)).toEqual(['tools.yaml']);
    expect((await helix(folder, ['new', 'workspace', 'tools.yaml'])).code).toBe(1);
  });
});

describe('helix new component', () => {
  it('refuses what is no scheme, and a scheme that is taken', async () => {
    const folder = await emptyFolder();
    for (const scheme of ['Queue', '9x', 'a/b', '../x', 'a--b', 'a-scheme-that-is-far-too-long']) {
      expect(await helix(folder, ['new', 'component', scheme])).toMatchObject({
        code: 1,
        err: expect.stringContaining('is no scheme') as string,
      });
    }
    expect((await helix(folder, ['new', 'component', 'seda'])).err).toContain('already');
  });

  it('writes text that is formatted as the rest of the tree, however long the scheme is', async () => {
    const config = JSON.parse(await readFile(join(root, '.prettierrc.json'), 'utf8')) as object;
    for (const scheme of ['q', 'web-hook', 'eighteen-letters-a']) {
      for (const [name, text] of Object.entries(componentFiles(scheme)))
        expect([name, await check(text, { ...config, filepath: name })]).toEqual([name, true]);
    }
  });

  it('compiles', async () => {
    await writeFile(
      join(tree, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { noEmit: true, rootDir: '/', typeRoots: [join(root, 'node_modules', '@types')] },
        include: ['src/components'],
        exclude: [],
      }),
    );
    expect(await run('node_modules/typescript/bin/tsc', ['-p', tree])).toEqual({ code: 0, out: '' });
  });

  describe('passes its own spec, the suite of all components in it', async () => {
    await import(join(tree, 'src', 'components', 'web-hook', 'web-hook.component.spec.ts'));
  });
});

/** Runs a program of the checkout to its end. */
async function run(program: string, words: readonly string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [join(root, program), ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}
