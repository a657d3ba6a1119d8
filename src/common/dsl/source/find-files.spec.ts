import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Problems } from '../problems.js';
import { readSources, sourceLimits } from './find-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helix-sources-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function read(path: string) {
  const problems = new Problems();
  const files = await readSources([path], problems);
  return { files, problems: problems.list() };
}

test('a device without an end is refused unread', async () => {
  const { files, problems } = await read('/dev/zero');
  expect(files).toEqual([]);
  expect(problems).toMatchObject([
    { rule: 'unreadable-file', message: expect.stringContaining('regular file') },
  ]);
});

test('a pipe that nobody writes to does not hold the check up', async () => {
  execFileSync('mkfifo', [join(folder, 'flow.yaml')]);
  const { files, problems } = await read(folder);
  expect(files).toEqual([]);
  expect(problems).toMatchObject([{ rule: 'unreadable-file', place: { file: join(folder, 'flow.yaml') } }]);
});

test('a file beyond the limit is refused by its size, one at the limit is read', async () => {
  const path = join(folder, 'flow.yaml');
  writeFileSync(path, 'workflows: []\n');
  truncateSync(path, sourceLimits.fileBytes + 1);
  expect((await read(path)).problems).toMatchObject([{ rule: 'file-too-large' }]);
  truncateSync(path, sourceLimits.fileBytes);
  expect((await read(path)).files).toHaveLength(1);
});
