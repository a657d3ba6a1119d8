import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';

/** Whether the text is a path below a folder, whatever the folder is: a name that came from outside may be any text. */
export function isInside(path: string): boolean {
  if (path === '' || path.includes('\0') || isAbsolute(path)) return false;
  const parts = normalize(path).split(sep);
  return parts[0] !== '..' && normalize(path) !== '.' && !path.endsWith('/');
}

/** Whether the folder, its links followed, still lies in the other. */
export async function liesIn(folder: string, outer: string): Promise<boolean> {
  const [inner, whole] = await Promise.all([realpath(folder), realpath(outer)]);
  return inner === whole || inner.startsWith(whole.endsWith(sep) ? whole : whole + sep);
}

/** A path that is free: the name, or the name with a number before its ending. */
export async function freePlace(folder: string, name: string): Promise<string> {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let n = 0; ; n++) {
    const path = join(folder, n === 0 ? name : `${stem}-${n}${ending}`);
    if (!(await exists(path))) return path;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** `*` and `?` as in a shell; all else is itself. */
export function namePattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 's');
}
