/**
 * Writes src/common/dsl/workflow.schema.json, the JSON Schema of workspace files, from the tables of the components and
 * steps. With `--check` it writes nothing and exits 1 where the file is not what the tables say.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = fileURLToPath(new URL('../src/common/dsl/workflow.schema.json', import.meta.url));

const { module } = await runnerImport(fileURLToPath(new URL('../src/cli/schema-text.ts', import.meta.url)), {
  root,
  configFile: false,
  logLevel: 'error',
});
const text = await format(module.schemaText(), { parser: 'json', printWidth: 110 });

if (process.argv.includes('--check')) {
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present !== text) {
    console.error('src/common/dsl/workflow.schema.json is out of date: run "npm run schema" and commit it.');
    process.exit(1);
  }
} else await writeFile(file, text);
