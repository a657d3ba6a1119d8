import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { workspaceResources } from './workspace-resources.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'helix-resources-')));
const folder = join(root, 'workspace');
mkdirSync(join(folder, 'data'), { recursive: true });
mkdirSync(join(root, 'workspace-too'));
writeFileSync(join(folder, 'tools.yaml'), 'tools: []');
writeFileSync(join(folder, 'data', 'a.json'), '[1]');
writeFileSync(join(folder, 'data', 'b.bin'), Buffer.from([0xff, 0x00]));
writeFileSync(join(folder, 'data', 'bad.txt'), Buffer.from([0xff, 0xfe]));
writeFileSync(join(folder, '.env'), 'SECRET=1');
writeFileSync(join(root, 'outside.json'), '"secret"');
writeFileSync(join(root, 'workspace-too', 'x.json'), '"secret"');
symlinkSync(join(root, 'outside.json'), join(folder, 'data', 'link.json'));
symlinkSync(join(folder, 'data', 'a.json'), join(folder, 'data', 'inner.json'));
symlinkSync(join(folder, '.env'), join(folder, 'data', 'env.txt'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('reads files of the workspace, named by a folder or by one of its files', () => {
  for (const path of [folder, join(folder, 'tools.yaml')]) {
    const read = workspaceResources([path]);
    expect(read('data/a.json')).toEqual({ text: '[1]', mime: 'application/json' });
    expect(read('classpath://data/a.json').text).toBe('[1]');
    expect(read('data/inner.json').text).toBe('[1]');
    expect(read('data/b.bin').bytes).toEqual(Buffer.from([0xff, 0x00]));
  }
});

it('looks in every folder of the workspace', () => {
  const read = workspaceResources([join(root, 'workspace-too'), folder]);
  expect(read('x.json').text).toBe('"secret"');
  expect(read('data/a.json').text).toBe('[1]');
});

it.each([
  '../outside.json',
  'data/../../outside.json',
  '../workspace-too/x.json',
  join(root, 'outside.json'),
  `file://${join(root, 'outside.json')}`,
  'http://127.0.0.1/a.json',
  'data/link.json',
  '.env',
  'data/env.txt',
  'data',
  '',
  'missing.json',
])('refuses %s', (url) => {
  expect(() => workspaceResources([folder])(url)).toThrow(/workspace/);
});

it('gives the same object until the file changes', () => {
  const file = join(folder, 'data', 'changing.json');
  writeFileSync(file, '1');
  const read = workspaceResources([folder]);
  const first = read('data/changing.json');
  expect(read('data/changing.json')).toBe(first);
  writeFileSync(file, '2');
  utimesSync(file, 1, 1);
  expect(read('data/changing.json').text).toBe('2');
});

it('says when a text file is no UTF-8', () => {
  expect(() => workspaceResources([folder])('data/bad.txt')).toThrow('data/bad.txt is not UTF-8 text.');
});
