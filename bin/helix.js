#!/usr/bin/env node
/*
 * Starts `helix` from dist/, and in a checkout builds it first where it is missing or older than its sources. Plain
 * JavaScript and small: it must run before anything was built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const entry = join(root, 'dist', 'src', 'cli.js');
const stamp = join(root, 'dist', '.built');
const sources = ['src', 'ormconfig.ts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 20)) {
  console.error(`Helix needs Node 20.20 or later; this is ${process.versions.node}.`);
  process.exit(2);
}

if (isCheckout() && isStale()) build();
await import(pathToFileURL(entry).href);

/** An installed package holds no sources: what it has is what it runs. */
function isCheckout() {
  return existsSync(join(root, 'src', 'cli.ts'));
}

function isStale() {
  if (!existsSync(entry)) return true;
  // A build by hand (`npm run build`) empties dist/, and leaves no stamp: its own time serves.
  const built = statSync(existsSync(stamp) ? stamp : entry).mtimeMs;
  return sources.some((name) => newestIn(join(root, name)) > built);
}

function newestIn(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // A folder changes when a file in it comes or goes.
  return readdirSync(path, { withFileTypes: true }).reduce((newest, { name }) => {
    return name.endsWith('.spec.ts') ? newest : Math.max(newest, newestIn(join(path, name)));
  }, stats.mtimeMs);
}

/** Output goes to standard error: standard output may belong to a protocol or a pipe. */
function build() {
  const cli = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  if (!existsSync(cli)) {
    console.error('The build tools are missing: run `npm ci` in the checkout first.');
    process.exit(2);
  }
  const began = Date.now();
  console.error('Building Helix…');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'build'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(`${stdout}${stderr}\nThe build failed; what is wrong stands above.`);
    process.exit(1);
  }
  // The time at which it began: what was changed during the build is built again.
  writeFileSync(stamp, '');
  utimesSync(stamp, new Date(began), new Date(began));
}
