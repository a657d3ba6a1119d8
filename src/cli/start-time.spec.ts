import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const STATIC = /^(?:import|export)\s(?!type\b)[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm;

/** The files and packages that importing a file loads, dynamic imports left out. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(STATIC)) {
    const name = from ?? bare ?? '';
    if (!name.startsWith('.')) loaded.add(name);
    else loadedBy(join(dirname(file), name.replace(/\.js$/, '.ts')), loaded);
  }
  return loaded;
}

describe('the start of helix', () => {
  it('loads what help needs: every other part is loaded by the command that uses it', () => {
    const loaded = [...loadedBy(join(import.meta.dirname, '..', 'cli.ts'))];
    const packages = loaded.filter((name) => !existsSync(name) && !name.startsWith('node:'));
    expect(packages).toEqual(['commander']);
    expect(loaded.filter((name) => /\/(?:starlang|dsl|modules|components|http)\//.test(name))).toEqual([]);
  });
});
