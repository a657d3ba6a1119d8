/**
 * Writes the knowledge base that the example searches: examples/helpdesk/knowledge/articles.json, made of the guide and
 * of the product's own tables (components, steps, error codes, Starlang's library, commands), so that it is true as long
 * as it is fresh. Reads the sources, so it needs no build. `--check` writes nothing and fails where the file is stale.
 */
import { readFile, readdir, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'examples', 'helpdesk', 'knowledge', 'articles.json');
const source = async (path) => {
  const settings = { root, configFile: false, logLevel: 'error' };
  return (await runnerImport(join(root, 'src', path), settings)).module;
};

const articles = [
  ...(await guide()),
  ...(await components()),
  ...(await steps()),
  ...(await errors()),
  ...(await starlang()),
  ...(await commands()),
];
refuseTwins(articles);
await refuseForgottenSettings(articles);

const text = `${JSON.stringify(articles, null, 2)}\n`;
const present = await readFile(file, 'utf8').catch(() => null);
if (process.argv.includes('--check')) {
  if (present !== text) {
    console.error(
      'examples/helpdesk/knowledge/articles.json is stale: run `npm run knowledge` and commit it.',
    );
    process.exitCode = 1;
  }
} else if (present !== text) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(`${articles.length} articles written.`);
}

/** Every `##` section of a page is an article; those of configuration.md are the settings. */
async function guide() {
  const folder = join(root, 'docs', 'guide');
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const found = [];
  for (const name of pages) {
    const page = name.slice(0, -3);
    const [head, ...sections] = (await readFile(join(folder, name), 'utf8')).split(/^## /m);
    const pageTitle = /^# (.*)$/m.exec(head)?.[1];
    if (pageTitle === undefined) throw new Error(`docs/guide/${name} has no title: begin it with "# ".`);
    const isSettings = page === 'configuration';
    for (const section of sections) {
      const [title, ...lines] = section.split('\n');
      found.push({
        id: isSettings ? `setting:${slug(title)}` : `guide:${page}:${slug(title)}`,
        section: isSettings ? 'setting' : 'guide',
        title: isSettings ? title : `${title} · ${pageTitle}`,
        body: unwrap(lines),
      });
    }
  }
  return found;
}

async function components() {
  const { catalogue } = await source('cli/catalogue.ts');
  return [...catalogue().components]
    .sort((one, other) => (one.scheme < other.scheme ? -1 : 1))
    .flatMap(({ scheme, description, options }) => {
      const names = Object.keys(options);
      const overview =
        names.length === 0
          ? `${description} It takes no options.`
          : `${description} Options: ${names.join(', ')}.`;
      return [
        article('component', `component:${scheme}`, `${scheme}://`, overview),
        ...names.map((name) => {
          const { kind, sentence, fallback, required, values, minimum, maximum, secret } = options[name];
          const facts = [
            sentence,
            `Type: ${kind}${values ? `, one of ${values.join(', ')}` : ''}${range(minimum, maximum)}.`,
            required ? 'It must be given.' : defaultOf(fallback),
            secret ? 'It is a secret and shows nowhere.' : '',
          ];
          return article(
            'component',
            `component:${scheme}:${name}`,
            `${name} · ${scheme}://`,
            sentences(facts),
          );
        }),
      ];
    });
}

async function steps() {
  const { catalogue } = await source('cli/catalogue.ts');
  return catalogue().steps.map(({ keyword, aliases, description, shape }) => {
    const keys = Object.entries(shape).map(([name, field]) => {
      const written = field.inline === 'rest' ? 'any key' : (field.inline ?? [name]).join(' or ');
      const need = field.required ? 'required' : 'optional';
      return `- ${written} (${need}): ${field.sentence}${field.shorthand ? ' It may stand alone after the keyword.' : ''}`;
    });
    const spelling = aliases.length > 0 ? `Also spelled ${aliases.join(', ')}.` : '';
    const body = [
      sentences([description, spelling]),
      keys.length > 0 ? keys.join('\n') : 'It takes no keys.',
    ];
    return article('step', `step:${keyword}`, `The step ${keyword}`, body.join('\n\n'));
  });
}

async function errors() {
  const { errorCodes, machineCode } = await source('common/engine/errors/error-codes.ts');
  return Object.entries(errorCodes).map(([code, { http, jsonRpc, retry, exposure, summary }]) =>
    article(
      'error',
      `error:${code}`,
      code,
      sentences([
        summary,
        `Over HTTP it is answered with ${http}, and the header X-Helix-Error of the REST API reads ${machineCode(code)}; over JSON-RPC its code is ${jsonRpc}.`,
        retry === 'later'
          ? 'Trying again later may help.'
          : 'Trying again without changing anything does not help.',
        exposure === 'caller'
          ? 'Its message is written for whoever sent the request.'
          : 'Its message is for the operator and stands in the log; a caller reads only the summary.',
      ]),
    ),
  );
}

async function starlang() {
  const { listFunctions } = await source('common/starlang/index.ts');
  return listFunctions()
    .map(({ name, module, signatures, doc, examples }) => {
      const isCore = module === 'dw::Core';
      const parts = [
        sentences([doc, isCore ? '' : `Import it from ${module}.`]),
        signatures.map((signature) => `    ${signature}`).join('\n'),
        ...(examples.length > 0
          ? [examples.map(({ expr, result }) => `    ${expr}\n    = ${result}`).join('\n\n')]
          : []),
      ];
      const id = isCore ? name : `${module.replace(/^dw::(core::)?/, '')}:${name}`;
      return article('starlang', `starlang:${id}`, `${name} in Starlang`, parts.join('\n\n'));
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The help of each command, as it is printed. */
async function commands() {
  // Help is as wide as the terminal, and the file must not depend on whose terminal made it.
  Object.defineProperty(process.stdout, 'isTTY', { value: false });
  const { runCommand } = await source('cli/program.ts');
  const help = async (words) => {
    let out = '';
    const write = (text) => void (out += text);
    await runCommand([...words, '--help'], {
      environment: {},
      folder: root,
      isTerminal: false,
      hasColour: false,
      out: write,
      err: write,
    });
    return out.trim();
  };
  const found = [];
  const visit = async (words) => {
    const page = await help(words);
    if (words.length > 0)
      found.push(article('command', `command:${words.join(':')}`, `helix ${words.join(' ')}`, page));
    const list = page.split(/^Commands:$/m)[1] ?? '';
    for (const [, name] of list.matchAll(/^ {2}([a-z]\S*)/gm))
      if (name !== 'help') await visit([...words, name]);
  };
  await visit([]);
  return found;
}

function article(section, id, title, body) {
  return { id, section, title, body };
}

function slug(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function sentences(parts) {
  return parts.filter((part) => part !== '').join(' ');
}

function range(minimum, maximum) {
  if (minimum === undefined && maximum === undefined) return '';
  return `, ${minimum === undefined ? '' : `at least ${minimum}`}${maximum === undefined ? '' : ` at most ${maximum}`}`;
}

function defaultOf(fallback) {
  const isEmpty =
    fallback === null ||
    fallback === undefined ||
    (typeof fallback === 'object' && Object.keys(fallback).length === 0);
  return isEmpty ? '' : `Default: ${String(fallback)}.`;
}

/** Paragraphs on one line each; code, tables and lists keep their lines. */
function unwrap(lines) {
  const out = [];
  let isCode = false;
  let isOpen = false;
  for (const line of lines) {
    if (line.startsWith('```')) isCode = !isCode;
    const isText = !isCode && line !== '' && !/^(```|\||#)/.test(line);
    const begins = /^( *[-*]|\d+\.) /.test(line);
    if (isText && isOpen && !begins) out[out.length - 1] += ` ${line.trim()}`;
    else out.push(!isCode && line.startsWith('|') ? narrow(line) : line);
    isOpen = isText;
  }
  return out.join('\n').trim();
}

/** A table row without the padding that lines its columns up. */
function narrow(row) {
  return row.replace(/ {2,}/g, ' ').replace(/-{4,}/g, '---');
}

function refuseTwins(all) {
  const seen = new Set();
  for (const { id, body } of all) {
    if (seen.has(id)) throw new Error(`Two articles are called ${id}: rename a heading.`);
    if (body === '') throw new Error(`The article ${id} says nothing.`);
    seen.add(id);
  }
}

/** A variable that Helix reads has its section in docs/guide/configuration.md. */
async function refuseForgottenSettings(all) {
  const { EnvironmentVariables } = await source('common/platform/config/env-variables.ts');
  const { getMetadataStorage } = await import('class-validator');
  const rows = getMetadataStorage().getTargetValidationMetadatas(EnvironmentVariables, '', false, false);
  const titles = all
    .filter(({ section }) => section === 'setting')
    .map(({ title }) => title)
    .join(' ');
  const missing = [...new Set(rows.map(({ propertyName }) => propertyName))].filter(
    (name) => !new RegExp(`\\b${name}\\b`).test(titles),
  );
  if (missing.length > 0)
    throw new Error(`docs/guide/configuration.md has no section on ${missing.join(', ')}.`);
}
