/**
 * The one command that CI and people run: every check in turn, all of them even when one fails, a table at the end.
 * `node scripts/check.js types lint` runs only the named ones. That the OpenAPI documents and the migrations are fresh is
 * among the tests.
 */
import { spawnSync } from 'node:child_process';

const checks = [
  ['format', 'npm run --silent format'],
  ['lint', 'npm run --silent lint'],
  ['types', 'npm run --silent types'],
  ['floors', 'npm run --silent floors'],
  ['unused', 'npm run --silent unused'],
  ['build', 'npm run --silent build'],
  ['schema', 'npm run --silent schema:check'],
  ['knowledge', 'npm run --silent knowledge:check'],
  ['tests', 'npm test --silent'],
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some(([known]) => known === name));
if (unknown.length > 0) {
  console.error(
    `No check is called ${unknown.join(', ')}; there are ${checks.map(([name]) => name).join(', ')}.`,
  );
  process.exit(2);
}

const results = [];
for (const [name, command] of checks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name}: ${command}`);
  const begun = performance.now();
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  results.push({ name, ok: status === 0, seconds: (performance.now() - begun) / 1000 });
}

console.log('\n── summary');
for (const { name, ok, seconds } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(11)} ${seconds.toFixed(1).padStart(7)} s`);
}
process.exit(results.every(({ ok }) => ok) ? 0 : 1);
