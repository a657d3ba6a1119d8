/**
 * Starlang beside jsonata, jmespath and JavaScript by hand:
 * `npm run bench:starlang [-- transforms|records|parser|engine|mixed]`.
 * Counted is the processor's time. A wrong outcome ends the benchmark. Read the ratios.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseJavaScript } from 'acorn';
import jmespath from 'jmespath';
import jsonata from 'jsonata';
import { StarlangLanguage } from '../../src/common/dsl/starlang-language.js';
import { Exchange } from '../../src/common/engine/model/exchange.js';
import {
  compile,
  parse,
  prepare,
  readText,
  toPlain,
  type CompileOptions,
} from '../../src/common/starlang/index.js';
import { count, millis, perSecond, table, type Side } from './measure.js';
import { items, transforms, type Transform } from './transforms.js';

type Backend = NonNullable<CompileOptions['backend']>;

function starlang({ starlang: source }: Transform, payload: unknown, backend: Backend): () => unknown {
  const script = compile(source, { backend });
  if (backend !== 'auto' && script.backend !== backend)
    throw new Error(`not ${backend} but ${script.backend}`);
  return () => script.run({ payload }).value;
}

function sidesOf(transform: Transform): Side[] {
  const { payload, batch } = transform;
  const expression = jsonata(transform.jsonata);
  const known = prepare(structuredClone(payload));
  const slow = Math.max(1, Math.round(batch / 20));
  const { jmespath: query } = transform;
  return [
    { name: 'by hand', run: () => transform.byHand(payload as never), batch },
    { name: 'generated', run: starlang(transform, known, 'generated'), batch },
    { name: 'closures', run: starlang(transform, known, 'closures'), batch },
    { name: 'auto', run: starlang(transform, known, 'auto'), batch },
    { name: 'gen, unknown input', run: starlang(transform, payload, 'generated'), batch },
    { name: 'clos, unknown input', run: starlang(transform, payload, 'closures'), batch },
    ...(query ? [{ name: 'jmespath', run: () => jmespath.search(payload, query), batch: slow }] : []),
    { name: 'jsonata', run: () => expression.evaluate(payload) as unknown, batch: slow },
  ];
}

/** The same result, whatever the prototypes and the last digit of a sum of doubles. */
function same(a: unknown, b: unknown, inexact: boolean): boolean {
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, item: unknown) =>
      inexact && typeof item === 'number' ? Number(item.toPrecision(12)) : item,
    );
  return isDeepStrictEqual(plain(a), plain(b));
}

async function checked(transform: Transform): Promise<Side[]> {
  const sides = sidesOf(transform);
  const wanted = transform.byHand(transform.payload as never);
  for (const { name, run } of sides) {
    const given = await run();
    const value = /^(?:gen|clos|auto)/.test(name) ? toPlain(given) : given;
    if (!same(value, wanted, transform.inexact === true))
      throw new Error(
        `${transform.name}: ${name} gives another result: ${JSON.stringify(value).slice(0, 300)}`,
      );
  }
  return sides;
}

/** An unknown input is looked over before every run; a prepared one was once. */
const HEAD = [
  'runs a second',
  'by hand',
  'generated',
  'closures',
  'auto',
  'gen, unknown input',
  'clos, unknown input',
  'jmespath',
  'jsonata',
];
const RATIOS = ['hand/gen', 'gen/clos', 'auto/gen', 'gen/jsonata', 'clos/jsonata', 'gen/jmespath'];

async function compare(title: string, all: readonly (readonly [Transform, Side[]])[]): Promise<void> {
  const rows: string[][] = [];
  for (const [transform, sides] of all) {
    const speed = await perSecond(sides);
    const of = (name: string) => speed.get(name) ?? Number.NaN;
    const ratio = (a: string, b: string) => (speed.has(b) ? `${(of(a) / of(b)).toPrecision(3)}x` : '-');
    // What is chosen without a word must be the faster one, whatever the process has run before.
    if (of('auto') < Math.max(of('generated'), of('closures')) / 2)
      throw new Error(`${transform.name}: the choice between the back ends is a bad one`);
    rows.push([
      transform.name,
      ...HEAD.slice(1).map((name) => (speed.has(name) ? count(of(name)) : '-')),
      ratio('by hand', 'generated'),
      ratio('generated', 'closures'),
      ratio('auto', 'generated'),
      ratio('generated', 'jsonata'),
      ratio('closures', 'jsonata'),
      ratio('generated', 'jmespath'),
    ]);
  }
  console.log(`\n${title}\n${table([...HEAD, ...RATIOS], rows)}`);
}

async function compareTransforms(): Promise<void> {
  for (const transform of transforms) await compare('', [[transform, await checked(transform)]]);
}

/** All transforms in one process that has run every side of every one before. */
async function compareMixed(): Promise<void> {
  const all = await Promise.all(
    transforms.map(async (transform) => [transform, await checked(transform)] as const),
  );
  for (const [, sides] of all) await perSecond(sides, 2);
  await compare('one long-lived process, all transforms run before', all);
}

const RECORDS = 50_000;

interface RecordJob {
  name: string;
  script: string;
  byHand: (
    records: { id: number; name: string; amount: number; region: string; active: boolean }[],
  ) => unknown;
}

const jobs: RecordJob[] = [
  {
    name: `map ${RECORDS} records`,
    script:
      'output application/json\n---\npayload map {id: $.id, label: upper($.name), total: $.amount * 2, where: $.region, isLarge: $.amount > 500}',
    byHand: (records) =>
      records.map((record) => ({
        id: record.id,
        label: record.name.toUpperCase(),
        total: record.amount * 2,
        where: record.region,
        isLarge: record.amount > 500,
      })),
  },
  {
    name: `group ${RECORDS} records`,
    script:
      'output application/json\n---\npayload groupBy $.region mapObject {($$): {count: sizeOf($), total: sum($.id)}}',
    byHand: (records) => {
      const groups = new Map<string, { count: number; total: number }>();
      for (const { region, id } of records) {
        const group = groups.get(region) ?? { count: 0, total: 0 };
        group.count++;
        group.total += id;
        groups.set(region, group);
      }
      return Object.fromEntries(groups);
    },
  },
  {
    name: `group ${RECORDS} whole records`,
    script: 'output application/json\n---\npayload groupBy $.region',
    byHand: (records) => {
      const groups: Record<string, unknown[]> = {};
      for (const record of records) (groups[record.region] ??= []).push(record);
      return groups;
    },
  },
];

/** JSON text in, indented JSON text out. */
function compareRecords(): void {
  const text = JSON.stringify(
    Array.from({ length: RECORDS }, (_, i) => ({
      id: i + 1,
      name: `Record number ${i + 1}`,
      amount: (i * 7919) % 1000,
      region: `region-${i % 20}`,
      active: i % 2 === 0,
    })),
  );
  const rows: string[][] = [];
  for (const job of jobs) {
    const hand = () => JSON.stringify(job.byHand(JSON.parse(text) as never), undefined, 2);
    const wanted = hand();
    const sides = (['generated', 'closures'] as const).map((backend) => {
      const script = compile(job.script, { backend });
      const run = () => script.run({ payload: readText(text, 'application/json') }).text();
      if (run() !== wanted) throw new Error(`${job.name}: ${backend} gives another text`);
      return millis(run, 15);
    });
    const [byHand, generated = 0, closures = 0] = [millis(hand, 15), ...sides];
    rows.push([
      job.name,
      ...[byHand, generated, closures].map((value) => value.toFixed(1)),
      `${(generated / byHand).toFixed(2)}x`,
      `${(closures / byHand).toFixed(2)}x`,
    ]);
  }
  console.log(
    `\n${table(['ms, JSON in and out', 'by hand', 'generated', 'closures', 'gen/hand', 'clos/hand'], rows)}`,
  );
}

/** An expression of 2.7 KB: parsed, compiled to closures, compiled to code; beside it the same in JavaScript and JSONata. */
async function compareParser(): Promise<void> {
  const line =
    'payload.items filter ($.price * 1.19 > 10 and $.name != "none") map {id: $.id, name: upper($.first) ++ " " ++ $.last}';
  let source = line;
  while (source.length < 2700 - line.length) source += ` ++ (${line})`;
  source = source.padEnd(2700, ' ');
  if (parse(source).problems.length > 0) throw new Error('the expression does not parse');
  const few = { items: items.slice(0, 20) };
  const [one, other] = (['closures', 'generated'] as const).map((backend) =>
    toPlain(compile(source, { backend }).run({ payload: few }).value),
  );
  const parts = source.split(' ++ (').length;
  const cheap = few.items.filter(({ price }) => price * 1.19 > 10).length;
  if (!same(one, other, false) || (one as unknown[]).length !== parts * cheap)
    throw new Error('the expression gives another result');
  let turn = 0;
  const next = () => `${source}//${++turn}`;
  const expression = `{"items": items[price * 1.19 > 10 and name != "none"].{"id": id, "name": $uppercase(first) & " " & last}}`;
  let query = expression;
  while (query.length < 2700 - expression.length) query = `$merge([${query}, ${expression}])`;
  const jsonataSide = { name: `jsonata, ${query.length} characters`, run: () => jsonata(query), batch: 10 };
  const part =
    'payload.items.filter(($) => $.price * 1.19 > 10 && $.name != "none").map(($) => ({id: $.id, name: upper($.first) + " " + $.last}))';
  let script = part;
  while (script.length < 2700 - part.length) script += `.concat(${part})`;
  const acornSide = {
    name: `acorn, ${script.length} characters of JavaScript`,
    run: () => parseJavaScript(script, { ecmaVersion: 2024 }),
    batch: 10,
  };
  // Compiling leaves much to collect, which would count as parsing: each has its own rounds.
  const speed = new Map([
    ...(await perSecond([{ name: 'parse', run: () => parse(source), batch: 50 }])),
    ...(await perSecond([
      { name: 'compile, closures', run: () => compile(source, { backend: 'closures' }), batch: 20 },
    ])),
    ...(await perSecond([
      { name: 'compile, generated', run: () => compile(next(), { backend: 'generated' }), batch: 20 },
    ])),
    ...(await perSecond([acornSide])),
    ...(await perSecond([jsonataSide])),
  ]);
  const [acorn = Number.NaN, slowest = Number.NaN] = [...speed.values()].slice(-2);
  console.log(
    `\n${table(
      [`${source.length} characters`, 'a second', '/acorn', '/jsonata'],
      [...speed].map(([name, value]) => [
        name,
        count(value),
        ...[acorn, slowest].map((peer) => `${(value / peer).toPrecision(3)}x`),
      ]),
    )}`,
  );
}

/** Three scripts of a workflow on one large body, as the engine runs them. */
async function compareEngine(): Promise<void> {
  const language = new StarlangLanguage();
  const scripts = ['payload.items[0].id', 'sizeOf(payload.items) > 10', 'payload.items[-1].price * 2'].map(
    (source) => language.compile(source),
  );
  const exchange = new Exchange({ id: 'bench', body: { items } });
  const wanted = [0, true, (items.at(-1)?.price ?? 0) * 2];
  const all = () => scripts.map((script) => script.evaluate(exchange));
  if (!isDeepStrictEqual(all(), wanted)) throw new Error('the scripts give other results');
  const speed = await perSecond([
    { name: 'the same body', run: all, batch: 200 },
    {
      name: 'a new body each time',
      run: () => {
        exchange.body = { items };
        return all();
      },
      batch: 50,
    },
  ]);
  const [kept = Number.NaN, fresh = Number.NaN] = [...speed.values()];
  console.log(
    `\n${table(
      ['three scripts of a workflow', 'a second', '/new'],
      [...speed].map(([name, value]) => [name, count(value), `${(value / fresh).toPrecision(3)}x`]),
    )}`,
  );
  if (kept < fresh) throw new Error('a body that was seen before is looked over again');
}

const parts: Record<string, () => void | Promise<void>> = {
  transforms: compareTransforms,
  records: compareRecords,
  parser: compareParser,
  engine: compareEngine,
  mixed: compareMixed,
};
const wanted = process.argv.slice(2);
for (const [name, part] of Object.entries(parts))
  if (wanted.length === 0 || wanted.includes(name)) await part();
