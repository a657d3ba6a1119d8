// Runs case files for Starlang that live outside the repository and prints how many pass.
//
//   npm run conformance:starlang -- FILE [--failures] [--feature X] [--trust X] [--id X] [--format MIME]
//                                       [--backend closures|generated]
//
// A case is {id, script, inputs, expected, compare, trust, features, flags}; one without `expected`
// only has to parse. An input name with a number (payload_2) is another version of the same input:
// a case passes when one version gives the expected result. An application/dw text of the same value in
// another layout is a failure by the rule of the case; the last line says how many of these there are.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { compareOutput } from './conformance/compare-output.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    failures: { type: 'boolean', default: false },
    feature: { type: 'string' },
    trust: { type: 'string' },
    id: { type: 'string' },
    format: { type: 'string' },
    backend: { type: 'string', default: 'auto' },
  },
});
const [file] = positionals;
if (!file) {
  console.error('Name a case file: npm run conformance:starlang -- FILE');
  process.exit(2);
}

// `| head` closes the pipe when it has seen enough.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const door = new URL('../src/common/starlang/index.ts', import.meta.url).pathname;
const { module: starlang } = await runnerImport(door, { configFile: false, logLevel: 'error' });

const cases = JSON.parse(readFileSync(file, 'utf8')).filter(
  (one) =>
    (!values.id || one.id === values.id) &&
    (!values.feature || one.features?.includes(values.feature)) &&
    (!values.trust || one.trust === values.trust) &&
    (!values.format || one.expected?.mime === values.format),
);

/** All inputs of a case, each time with another version of its numbered inputs. */
function versions(inputs) {
  const names = Object.keys(inputs);
  const base = names.filter((name) => !/_\d+$/.test(name));
  const all = [Object.fromEntries(names.map((name) => [name, inputs[name]]))];
  for (const name of names.filter((one) => !base.includes(one))) {
    const plain = name.replace(/_\d+$/, '');
    if (base.includes(plain)) all.push({ ...all[0], [plain]: inputs[name] });
  }
  return all;
}

function readInput(input) {
  if (input.mime === 'application/java') return JSON.parse(input.content);
  try {
    return starlang.readText(input.content, input.mime);
  } catch (error) {
    if (input.mime !== 'application/json') throw error;
    if (/^\s*</.test(input.content)) return starlang.readText(input.content, 'application/xml');
    try {
      return starlang.compile(input.content).run().value;
    } catch {
      throw error;
    }
  }
}

/** Only what the script uses is read, as a workflow does. */
function attempt(one, inputs) {
  const names = [...starlang.DEFAULT_INPUTS, ...Object.keys(inputs)];
  const script = starlang.compile(one.script, { inputs: names, backend: values.backend });
  const used = script.uses.filter((name) => Object.hasOwn(inputs, name));
  const bindings = Object.fromEntries(used.map((name) => [name, readInput(inputs[name])]));
  return compareOutput(one, script.run(bindings).text());
}

function judge(one) {
  if (!one.expected) {
    const { problems } = starlang.parse(one.script);
    return problems.length === 0 ? undefined : problems[0].message + '\n' + problems[0].excerpt;
  }
  let why;
  for (const inputs of versions(one.inputs)) {
    try {
      const difference = attempt(one, inputs);
      if (difference === undefined) return undefined;
      why ??= difference;
    } catch (error) {
      why ??= error.name === 'StarlangError' || error.name === 'Fault' ? error.message : error.stack;
    }
  }
  return why;
}

const tables = { trust: new Map(), format: new Map(), feature: new Map() };
const count = (table, key, passed) => {
  const row = table.get(key) ?? { passed: 0, total: 0 };
  row.total++;
  if (passed) row.passed++;
  table.set(key, row);
};

/** Quoted keys and the width of an indent are free in application/dw, so two texts can be one value. */
function differsInLayoutOnly({ expected }, why) {
  const [, actual] = /\nactual:\n([\s\S]*)$/.exec(why) ?? [];
  if (expected?.mime !== 'application/dw' || actual === undefined) return false;
  const canonical = (text) => starlang.writeText(starlang.readText(text, expected.mime), expected.mime);
  try {
    return canonical(expected.content) === canonical(actual);
  } catch {
    return false;
  }
}

let passed = 0;
let layoutOnly = 0;
const started = performance.now();
for (const one of cases) {
  const why = judge(one);
  if (why === undefined) passed++;
  count(tables.trust, one.trust ?? 'parse', why === undefined);
  if (one.expected) count(tables.format, one.expected.mime, why === undefined);
  for (const feature of one.features ?? [])
    if (!feature.startsWith('out:')) count(tables.feature, feature, why === undefined);
  if (why !== undefined && differsInLayoutOnly(one, why)) layoutOnly++;
  if (why === undefined || !(values.failures || values.id)) continue;
  console.log(
    `\n=== ${one.id} ${one.trust ?? ''} ${(one.features ?? []).join(' ')} ${(one.flags ?? []).join(' ')}`,
  );
  console.log(one.script.trim().slice(0, values.id ? undefined : 1500));
  if (values.id)
    for (const [name, input] of Object.entries(one.inputs ?? {}))
      console.log(`--- ${name} (${input.mime})\n${input.content}`);
  console.log(`--- ${why}`);
}

const percent = ({ passed: good, total }) => `${good}/${total} (${((100 * good) / total).toFixed(1)} %)`;
for (const [name, table] of Object.entries(tables)) {
  if (table.size === 0) continue;
  console.log(`\nby ${name}:`);
  for (const [key, row] of [...table].sort((a, b) => b[1].total - a[1].total))
    console.log(`  ${key.padEnd(36)} ${percent(row)}`);
}
console.log(`\n${percent({ passed, total: cases.length })} in ${Math.round(performance.now() - started)} ms`);
if (layoutOnly > 0)
  console.log(`${layoutOnly} of the failures give the expected value in another layout of application/dw`);
