import type { Resource } from '../starlang/index.js';

/** Starlang's own ending, and that of the language whose modules people bring along. */
const endings = ['.sl', '.dwl'];

/**
 * The workspace's own modules: `orders::Prices` is the file `orders/Prices.sl` (or `.dwl`) of its folder.
 * @param read what `readUrl` reads with
 */
export function workspaceModules(read: (url: string) => Resource): (path: string) => string | undefined {
  return (path) => {
    for (const ending of endings) {
      const text = textAt(read, path.replaceAll('::', '/') + ending);
      if (text !== undefined) return text;
    }
    return undefined;
  };
}

/** A path that leads to no text of the workspace leads to no module. */
function textAt(read: (url: string) => Resource, url: string): string | undefined {
  try {
    return read(url).text;
  } catch {
    return undefined;
  }
}
