import type { Directive, Document, Expr, FormatSpec, ImportDirective, LambdaNode } from './ast.js';
import { parseAnnotations } from './parse-annotations.js';
import { parseParams } from './parse-params.js';
import { parseGenerics } from './parse-types.js';
import type { Parser } from './parser.js';

const WORDS = ['output', 'input', 'var', 'fun', 'type', 'ns', 'import', 'annotation', 'private'];
const STOPS = [...WORDS, '---'];

export function parseDocument(p: Parser): Document {
  p.recover(() => undefined, []);
  const directives = parseDirectives(p);
  let body: Expr | undefined;
  const dashes = p.is('---');
  while (p.accept('---'));
  if (p.kind !== 'end' || (directives.length === 0 && !dashes) || dashes) {
    body = p.recover(() => p.expr(), []);
    if (p.kind !== 'end' && p.problems.length === 0) reportLeftover(p);
  }
  return { directives, ...(body ? { body } : {}), start: 0, end: p.source.length };
}

function reportLeftover(p: Parser): void {
  const hint = p.is(',')
    ? 'one body expression only: put several values into [ ] or { }'
    : p.is('---')
      ? 'the header ended before: directives and the body are separated by one line of dashes'
      : undefined;
  p.report(`Expected the end of the script but found ${p.found()}`, undefined, undefined, hint);
}

/** The directives of a header or of a `do` block. */
export function parseDirectives(p: Parser): Directive[] {
  const directives: Directive[] = [];
  const outer = p.inHeader;
  p.inHeader = true;
  while (beginsDirective(p)) {
    const { start } = p;
    const directive = p.recover(() => parseDirective(p), STOPS);
    if (directive) directives.push(directive);
    // It broke on its first word, which is where the next one would begin too.
    if (p.start === start) p.next();
    if (!directive && !beginsDirective(p) && p.kind !== 'end' && !p.is('---')) break;
    while (p.accept(';') || p.accept(','));
  }
  p.inHeader = outer;
  return directives;
}

function beginsDirective(p: Parser): boolean {
  if (p.is('%') || p.is('@')) return true;
  if (p.kind !== 'name' || !WORDS.includes(p.text)) return false;
  const follow = p.peek(2);
  if (p.text === 'output') return !follow.startsWith(':') || /^:\s*[A-Z]/.test(p.source.slice(p.skip(p.end)));
  return /^(?:[\w*$]|\+\+|--)/.test(follow) || follow.charCodeAt(0) > 127;
}

function parseDirective(p: Parser): Directive {
  const { start } = p;
  const annotations = parseAnnotations(p);
  p.accept('private');
  const extra = annotations.length > 0 ? { annotations } : {};
  switch (p.text) {
    case '%':
      return parseVersion(p);
    case 'output': {
      const format = parseFormat(p);
      return { kind: 'output', format, ...extra, start, end: p.lastEnd };
    }
    case 'input': {
      p.next();
      const name = p.text;
      const format = parseFormat(p, true);
      return { kind: 'input', name, format, ...extra, start, end: p.lastEnd };
    }
    case 'var': {
      p.next();
      const name = p.identifier('a variable');
      const type = p.accept(':') ? p.type() : undefined;
      if (!p.is('=')) p.fail(`Expected "=" after "var ${name}" but found ${p.found()}`);
      p.next();
      const value = p.expr();
      return { kind: 'var', name, ...(type ? { type } : {}), value, ...extra, start, end: p.lastEnd };
    }
    case 'fun':
      return { ...parseFun(p), ...extra, start, end: p.lastEnd };
    case 'type': {
      p.next();
      const name = p.identifier('a type');
      const generics = parseGenerics(p);
      p.expect('=', `after "type ${name}"`);
      return { kind: 'type', name, generics, type: p.type(), ...extra, start, end: p.lastEnd };
    }
    case 'ns':
      return { ...parseNamespace(p), ...extra, start, end: p.lastEnd };
    case 'import':
      return { ...parseImport(p), ...extra, start, end: p.lastEnd };
    case 'annotation': {
      p.next();
      const name = p.identifier('an annotation');
      return { kind: 'annotation', name, params: parseParams(p), ...extra, start, end: p.lastEnd };
    }
    default:
      return p.fail(`Expected a directive but found ${p.found()}`);
  }
}

function parseVersion(p: Parser): Directive {
  const { start } = p;
  const found = /^%(?:dw|sl)[ \t]+(\d+(?:\.\d+)?)/.exec(p.source.slice(start, start + 40));
  if (!found) p.fail('Expected a version such as %sl 2.0', start, 1);
  if (!found[1]?.startsWith('2'))
    p.fail(`Version ${found[1]} is not understood`, start, found[0].length, 'write %sl 2.0');
  p.seek(start + found[0].length);
  return { kind: 'version', text: found[0], start, end: p.lastEnd };
}

const MIME = /[A-Za-z0-9_*]+(?:[A-Za-z0-9.+*/_-]*[A-Za-z0-9*])?(?:[ \t]*;[ \t]*[\w-]+=[\w."-]+)*/y;

/** `[: Type] mime [with id] [option=value, …]` after the word before it. */
function parseFormat(p: Parser, optional = false): FormatSpec {
  const spec: FormatSpec = { mime: '', options: [] };
  if (p.peek(2).startsWith(':') && p.peek(2) !== '::') {
    p.next();
    p.next();
    spec.type = p.type();
    if (p.kind === 'name') readMime(p, spec, p.start, optional);
    else if (!optional) p.fail('Expected a format such as application/json');
  } else {
    const from = optional ? blanks(p.source, p.end) : p.skip(p.end);
    readMime(p, spec, from, optional);
  }
  if (p.isWord('with')) {
    p.next();
    spec.id = p.word('the id of a format');
  }
  while (p.kind === 'name' && p.peek(2).startsWith('=') && p.peek(2) !== '==') {
    const name = p.word('an option');
    p.next();
    spec.options.push({ name, value: p.operand() });
    p.accept(',');
  }
  return spec;
}

function blanks(source: string, at: number): number {
  while (source[at] === ' ' || source[at] === '\t') at++;
  return at;
}

function readMime(p: Parser, spec: FormatSpec, from: number, optional: boolean): void {
  MIME.lastIndex = from;
  const found = MIME.exec(p.source);
  if (!found) {
    if (!optional) p.fail('Expected a format such as application/json', from, 1);
    p.next();
    return;
  }
  spec.mime = found[0];
  p.seek(from + found[0].length);
}

function parseFun(p: Parser): { kind: 'fun'; name: string; value: LambdaNode } {
  p.next();
  const operator = p.is('++') || p.is('--') ? p.text : undefined;
  if (operator) p.next();
  const name = operator ?? p.word('the name of a function');
  const generics = parseGenerics(p);
  const { start } = p;
  const params = parseParams(p);
  const result = p.accept(':') ? p.type() : undefined;
  p.expect('=', `after the parameters of "${name}"`);
  const body = p.expr();
  const value: LambdaNode = { kind: 'lambda', params, body, start, end: p.lastEnd };
  if (result) value.result = result;
  if (generics.length > 0) value.generics = generics;
  return { kind: 'fun', name, value };
}

function parseNamespace(p: Parser): { kind: 'ns'; prefix: string; uri: string } {
  p.next();
  const prefix = p.text;
  if (p.kind !== 'name') p.fail(`Expected a prefix after "ns" but found ${p.found()}`);
  const from = blanks(p.source, p.end);
  const found = /^[^\s]+/.exec(p.source.slice(from));
  if (!found) p.fail(`Expected the address of the namespace "${prefix}"`);
  p.seek(from + found[0].length);
  return { kind: 'ns', prefix, uri: found[0] };
}

function parseImport(p: Parser): Omit<ImportDirective, 'start' | 'end'> {
  p.next();
  if (p.accept('*')) {
    p.expect('from', 'after "import *"');
    return { kind: 'import', ...parseModule(p), names: '*' };
  }
  const first = parseModule(p);
  if (p.isWord('from') || p.is(',') || (p.isWord('as') && first.module.length === 1 && listsNames(p))) {
    const names: { name: string; alias?: string }[] = [{ name: first.module[0] ?? '' }];
    for (;;) {
      if (p.accept('as')) Object.assign(names.at(-1) ?? {}, { alias: p.word('an alias') });
      if (!p.accept(',')) break;
      names.push({ name: p.word('a name to import') });
    }
    p.expect('from', 'after the names to import');
    return { kind: 'import', ...parseModule(p), names };
  }
  const alias = p.accept('as') ? p.word('an alias') : undefined;
  return { kind: 'import', ...first, ...(alias ? { alias } : {}) };
}

/** `import a as b from c` against `import c as b`. */
function listsNames(p: Parser): boolean {
  return /^as\s+\w+\s*(?:,|from\b)/.test(p.source.slice(p.start, p.start + 120));
}

function parseModule(p: Parser): { module: string[]; loader?: string } {
  const module = [p.word('a module')];
  let loader: string | undefined;
  while (p.is('!') && p.start === p.lastEnd) {
    loader = module.pop();
    p.next();
    module.push(p.word('a module'));
  }
  const separators = loader === undefined ? ['::'] : ['::', '.'];
  while (separators.some((sign) => p.is(sign))) {
    p.next();
    module.push(p.word('a name after "::"'));
  }
  return { module, ...(loader ? { loader } : {}) };
}
