import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problems } from '../problems.js';
import { SourceFile } from './source-file.js';

/** More is no workspace but a mistaken folder. */
export const sourceLimits = { fileBytes: 4 * 1024 * 1024, files: 2000, depth: 32 } as const;

const passedOver = new Set(['node_modules', '.git']);

/** Files that hold tests and nothing else. */
export const isTestFile = (path: string): boolean => /\.test\.ya?ml$/i.test(path);

/**
 * The YAML files (`.yaml`, `.yml`) of the given files and folders, folders walked to the bottom, in the order of their
 * names; a file named twice is read once. Hidden folders and `node_modules` are passed over, and without `withTests` test
 * files that are not named themselves.
 */
export async function readSources(
  paths: readonly string[],
  problems: Problems,
  withTests = false,
): Promise<SourceFile[]> {
  const found: string[] = [];
  const walked = new Set<string>();
  for (const path of paths) {
    const before = found.length;
    const again = walked.size > 0 && walked.has(await realpath(path).catch(() => ''));
    const kind = await kindOf(path);
    if (kind === 'file') found.push(path);
    else if (kind === 'folder') await walk(path, 0, found, walked);
    if (kind === null) {
      problems.error('unreadable-file', atStart(path), `${path} does not exist or cannot be read.`);
    } else if (kind === 'folder' && found.length === before && !again) {
      problems.error('empty-folder', atStart(path), `${path} holds no .yaml or .yml file.`);
    }
  }
  const files: SourceFile[] = [];
  for (const path of new Set(found)) {
    if (!withTests && isTestFile(path) && !paths.includes(path)) continue;
    if (files.length === sourceLimits.files) {
      problems.error(
        'too-many-files',
        atStart(path),
        `More than ${sourceLimits.files} files: name the folder that holds the workspace.`,
      );
      break;
    }
    const file = await readSource(path, problems);
    if (file) files.push(file);
  }
  return files;
}

async function readSource(path: string, problems: Problems): Promise<SourceFile | null> {
  try {
    // Before a byte is read: a device has no end, and a pipe nobody writes to would be waited for.
    const about = await stat(path);
    if (!about.isFile()) {
      problems.error('unreadable-file', atStart(path), 'This is no regular file: name a file or a folder.');
      return null;
    }
    if (about.size > sourceLimits.fileBytes) {
      const most = sourceLimits.fileBytes / 1024 / 1024;
      problems.error('file-too-large', atStart(path), `A workspace file may have ${most} MiB: split it.`);
      return null;
    }
    return new SourceFile(path, new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)));
  } catch (error) {
    const message =
      error instanceof TypeError ? 'The file is not UTF-8 text.' : 'The file cannot be read by this user.';
    problems.error('unreadable-file', atStart(path), message);
    return null;
  }
}

async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

/** A folder reached twice, by a link or by being named twice, is walked once. */
async function walk(folder: string, depth: number, found: string[], walked: Set<string>): Promise<void> {
  const real = await realpath(folder);
  if (walked.has(real)) return;
  walked.add(real);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || passedOver.has(entry.name)) continue;
    const kind = entry.isSymbolicLink() ? await kindOf(path) : entry.isDirectory() ? 'folder' : 'file';
    if (kind === 'folder' && depth < sourceLimits.depth) await walk(path, depth + 1, found, walked);
    else if (kind === 'file' && /\.ya?ml$/i.test(entry.name)) found.push(path);
  }
}

const atStart = (file: string) => ({ file, line: 1, column: 1 });
