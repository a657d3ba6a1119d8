import { readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Resource } from '../starlang/index.js';

/** Larger files belong into a database. */
const mostBytes = 64 * 1024 * 1024;

const mimeTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.csv': 'application/csv',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.sl': 'application/dw',
  '.dwl': 'application/dw',
  '.txt': 'text/plain',
  '.md': 'text/plain',
};

interface Kept {
  readonly mtimeMs: number;
  readonly size: number;
  readonly resource: Resource;
}

/**
 * What `readUrl` may read: files of the workspace's own folders, by their path below one of them. A file is read again
 * once it has changed; until then the very same object is given, so that a reader may keep what it made of it.
 * @param paths files and folders of the workspace, as `helix run` was given them
 */
export function workspaceResources(paths: readonly string[]): (url: string) => Resource {
  const folders = [...new Set(paths.map(folderOf))];
  const kept = new Map<string, Kept>();
  return (url) => {
    const file = find(url.replace(/^(classpath|file):(\/\/)?/, ''), folders, url);
    const { mtimeMs, size } = statSync(file);
    const known = kept.get(file);
    if (known?.mtimeMs === mtimeMs && known.size === size) return known.resource;
    if (size > mostBytes) throw new Error(`${url} has more than ${mostBytes / 1024 / 1024} MiB.`);
    const bytes = readFileSync(file);
    const mime = mimeTypes[extname(file).toLowerCase()] ?? 'application/octet-stream';
    const resource: Resource =
      mime === 'application/octet-stream' ? { bytes, mime } : { text: textOf(bytes, url), mime };
    kept.set(file, { mtimeMs, size, resource });
    return resource;
  };
}

function folderOf(path: string): string {
  const full = resolve(path);
  return statOf(full)?.isDirectory() === true ? full : dirname(full);
}

/** The real file, once links are followed, must lie in one of the folders; hidden files are nobody's data. */
function find(path: string, folders: readonly string[], url: string): string {
  if (isAbsolute(path) || /^[a-z][a-z0-9+.-]*:/i.test(path))
    throw new Error(
      `${url} is not a path inside the workspace: write it relative to the workspace's folder.`,
    );
  for (const folder of folders) {
    const wanted = resolve(folder, path);
    if (!isBelow(folder, wanted) || statOf(wanted)?.isFile() !== true) continue;
    const [home, real] = [realpathSync(folder), realpathSync(wanted)];
    if (isBelow(home, real) && !isHidden(relative(home, real))) return real;
  }
  throw new Error(`${url} is not there: readUrl reads files of the workspace's folder.`);
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && !way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way);
}

const isHidden = (path: string): boolean => path.split(sep).some((part) => part.startsWith('.'));

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function textOf(bytes: Buffer, url: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${url} is not UTF-8 text.`);
  }
}
