import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { inject } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Where one run keeps its bundles; removed at its end. */
export function bundleFolderOf(prefix: string): string {
  return join(root, 'node_modules', '.cache', prefix);
}

/**
 * Makes one file that plain Node can run of a TypeScript entry, for stories that need a process of their own to kill.
 * It stands under node_modules/.cache, from where packages and package.json are found as usual.
 * @param entry path from the repository's root
 * @returns path of the file
 */
export async function bundleForNode(entry: string): Promise<string> {
  const folder = bundleFolderOf(inject('prefix'));
  await mkdir(folder, { recursive: true });
  const fileName = `${entry.replaceAll(/[^a-z0-9]+/gi, '-')}.mjs`;
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: fileName, format: 'es' } },
    },
  });
  return join(folder, fileName);
}
