import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, sep } from 'node:path';

/** Editors write a file in several steps, and a checkout many files: what comes within this is one change. */
const CALM_MS = 200;

/**
 * Calls the listener after each change of the files and of what lies below the folders, once it is calm. Hidden files,
 * which are drafts of editors or belong to tools, are no change.
 * @returns ends it
 */
export function watchWorkspace(paths: readonly string[], listener: () => void): () => void {
  let calm: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(calm);
    calm = setTimeout(listener, CALM_MS);
  };
  const watchers = paths.map((path) => watchPath(path, changed));
  return () => {
    clearTimeout(calm);
    for (const watcher of watchers) watcher.close();
  };
}

function watchPath(path: string, changed: () => void): FSWatcher {
  const isFolder = statSync(path).isDirectory();
  // A file is looked at through its folder: editors put another file in its place, which a watch of the file would miss.
  const watcher = watch(isFolder ? path : dirname(path), { recursive: isFolder }, (_, name) => {
    const isMeant = name === null || (isFolder ? !isHidden(name) : name === basename(path));
    if (isMeant) changed();
  });
  // A folder that was removed under the watch: the next reload says so, and the process goes on.
  return watcher.on('error', changed);
}

const isHidden = (name: string): boolean => name.split(sep).some((part) => part.startsWith('.'));
