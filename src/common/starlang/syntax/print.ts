/** The printer of the whole tree: one function a kind of node, which call each other, so they stay in one file. */
import type {
  Annotation,
  Directive,
  Document,
  Entry,
  Expr,
  FormatSpec,
  Generic,
  ImportDirective,
  Key,
  LambdaNode,
  MatchCase,
  Param,
  Pattern,
  SelectNode,
  UpdateCase,
  UpdateStep,
} from './ast.js';
import { printType } from './print-type.js';

/** A script whose parse gives the same tree: every operand that is not a single thing stands in parentheses. */
export function print(document: Document): string {
  const header = document.directives.map(printDirective);
  if (!document.body) return header.join('\n');
  const body = printExpr(document.body);
  return header.length === 0 ? body : `${header.join('\n')}\n---\n${body}`;
}

const ATOMS = new Set([
  'string',
  'number',
  'boolean',
  'null',
  'template',
  'temporal',
  'regex',
  'name',
  'implicit',
  'array',
  'call',
  'select',
]);

function operand(node: Expr): string {
  const text = printExpr(node);
  const atom =
    (ATOMS.has(node.kind) && !(node.kind === 'call' && node.infix)) || (node.kind === 'object' && !node.bare);
  return atom ? text : `(${text})`;
}

/** A selector or call binds to what stands left of it; a number before a dot would be read on. */
const target = (node: Expr) =>
  node.kind === 'number' || (node.kind === 'select' && node.check) ? `(${printExpr(node)})` : operand(node);

export function printExpr(node: Expr): string {
  switch (node.kind) {
    case 'string':
      return quoted(node.value);
    case 'number':
      return node.text;
    case 'boolean':
      return String(node.value);
    case 'null':
      return 'null';
    case 'template':
      return `"${node.texts.map((text, i) => escaped(text) + (i < node.exprs.length ? `$(${printExpr(node.exprs[i] as Expr)})` : '')).join('')}"`;
    case 'temporal':
      return `|${node.text}|`;
    case 'regex':
      return `/${node.source.replaceAll('/', '\\/')}/`;
    case 'unfinished':
      return '???';
    case 'name':
      return printName(node.module, node.name);
    case 'implicit':
      return '$'.repeat(node.level);
    case 'array': {
      const items = node.items.map(({ value, condition }) =>
        condition ? `(${printExpr(value)}) if (${printExpr(condition)})` : operand(value),
      );
      return `[${items.join(', ')}${node.rest ? ` ~ ${operand(node.rest)}` : ''}]`;
    }
    case 'object': {
      const entries = node.entries.map((entry) => printEntry(entry)).join(', ');
      if (node.bare) return entries;
      return `{${entries}${node.rest ? ` ~ ${operand(node.rest)}` : ''}}`;
    }
    case 'lambda':
      return `${printGenerics(node.generics)}${printLambda(node)}`;
    case 'call':
      return printCall(node);
    case 'unary':
      return node.op === 'not' ? `not ${operand(node.operand)}` : `${node.op}${operand(node.operand)}`;
    case 'binary':
      return `${operand(node.left)} ${node.op} ${operand(node.right)}`;
    case 'if':
      return `${node.negated ? 'unless' : 'if'} (${printExpr(node.condition)}) ${operand(node.yes)} else ${operand(node.no)}`;
    case 'select':
      return printSelect(node);
    case 'match':
      return `${operand(node.subject)} match { ${node.cases.map(printCase).join(' ')} }`;
    case 'update':
      return `${operand(node.subject)} update { ${node.cases.map(printUpdateCase).join(' ')} }`;
    case 'do': {
      const header = node.directives.map(printDirective);
      return `do { ${header.length > 0 ? `${header.join('\n')}\n---\n` : ''}${printExpr(node.body)} }`;
    }
    case 'using':
      return `using (${node.bindings.map(({ name, value }) => `${name} = ${printExpr(value)}`).join(', ')}) ${operand(node.body)}`;
    case 'as':
    case 'is':
      return `${operand(node.operand)} ${node.kind} ${printType(node.type, printExpr)}`;
    case 'metadata':
      return `${operand(node.operand)} <~ ${operand(node.meta)}`;
    case 'typeExpr':
      return printType(node.type, printExpr);
  }
}

/** A module whose first part ends in "!" is a loader. */
const printName = (module: readonly string[], name: string) =>
  [...module, name].reduce(
    (text, part) => (text === '' ? part : text.endsWith('!') ? text + part : `${text}::${part}`),
    '',
  );

const escaped = (text: string) =>
  text
    .replace(/[\\"$]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');

const quoted = (text: string) => `"${escaped(text)}"`;

function printCall(node: Extract<Expr, { kind: 'call' }>): string {
  const { args, callee } = node;
  if (node.infix && callee.kind === 'name') {
    const [left, right] = args as [Expr, Expr];
    return `${operand(left)} ${printName(callee.module, callee.name)} ${operand(right)}`;
  }
  const types = node.typeArgs
    ? `<${node.typeArgs.map((type) => printType(type, printExpr)).join(', ')}>`
    : '';
  return `${target(callee)}${types}(${args.map(operand).join(', ')})`;
}

function printLambda(node: LambdaNode, arrow = '->'): string {
  const result = node.result ? `: ${printType(node.result, printExpr)}` : '';
  return `(${node.params.map(printParam).join(', ')})${result} ${arrow} ${printExpr(node.body)}`;
}

function printParam(param: Param): string {
  const type = param.type ? `: ${printType(param.type, printExpr)}` : '';
  return `${printAnnotations(param.annotations, ' ')}${param.name}${type}${param.value ? ` = ${operand(param.value)}` : ''}`;
}

function printGenerics(generics: readonly Generic[] | undefined): string {
  if (!generics || generics.length === 0) return '';
  return `<${generics.map(({ name, bound }) => (bound ? `${name} <: ${printType(bound, printExpr)}` : name)).join(', ')}>`;
}

function printEntry(entry: Entry, separator = ': '): string {
  const condition = entry.condition ? ` if (${printExpr(entry.condition)})` : '';
  if (entry.kind === 'spread') return `(${printExpr(entry.value)})${condition}`;
  return `${printKey(entry.key)}${separator}${operand(entry.value)}${condition}`;
}

function printKey(key: Key): string {
  const prefix = key.namespace === undefined ? '' : `${key.namespace}#`;
  const name = key.dynamic ? `(${printExpr(key.name)})` : printExpr(key.name);
  return (
    prefix +
    name +
    (key.attributes ? ` @(${key.attributes.map((entry) => printEntry(entry)).join(', ')})` : '')
  );
}

function printSelect(node: SelectNode): string {
  return target(node.target) + printSelector(node) + (node.check ?? '');
}

const SIGNS = { one: '.', many: '.*', pairs: '.&', deep: '..', deepMany: '..*', deepPairs: '..&' };

function printSelector({ selector, reach }: SelectNode): string {
  const sign = SIGNS[reach];
  switch (selector.by) {
    case 'name':
      return `${sign}${selector.namespace ? `${selector.namespace}#` : ''}${memberName(selector.name)}`;
    case 'index':
      return `[${printExpr(selector.value)}]`;
    case 'filter':
      return `[?(${printExpr(selector.condition)})]`;
    case 'attribute': {
      const name = selector.name
        ? `${selector.namespace ? `${selector.namespace}#` : ''}${memberName(selector.name)}`
        : '';
      if (selector.name && selector.name.kind !== 'string' && selector.name.kind !== 'template')
        return `[@${reach === 'many' ? '*' : ''}(${printExpr(selector.name)})]`;
      return `${sign}@${name}`;
    }
    case 'namespace':
      return '.#';
    case 'meta':
      return `.^${selector.name ? memberName(selector.name) : ''}`;
    case 'descendants':
      return '..';
  }
}

const memberName = (name: Expr) =>
  name.kind === 'string' || name.kind === 'template' ? printExpr(name) : `(${printExpr(name)})`;

function printCase({ pattern, guard, body }: MatchCase): string {
  const condition = guard ? ` if (${printExpr(guard)})` : '';
  if (pattern.kind === 'any') return `else ${condition}-> ${operand(body)}`;
  return `case ${printPattern(pattern)}${condition} -> ${operand(body)}`;
}

function printPattern(pattern: Pattern): string {
  const name = 'name' in pattern && pattern.name !== undefined ? pattern.name : '';
  switch (pattern.kind) {
    case 'literal':
      return `${name ? `${name}: ` : ''}${operand(pattern.value)}`;
    case 'type':
      return `${name} is ${printType(pattern.type, printExpr)}`.trim();
    case 'regex':
      return `${name} matches ${operand(pattern.value)}`.trim();
    case 'bind':
      return name;
    case 'any':
      return '';
    case 'array':
      return pattern.head === undefined ? '[]' : `[${pattern.head} ~ ${pattern.tail}]`;
    case 'object':
      return pattern.key === undefined ? '{}' : `{${pattern.key}: ${pattern.value} ~ ${pattern.tail}}`;
  }
}

function printUpdateCase(node: UpdateCase): string {
  const names = node.indexName === undefined ? (node.name ?? '') : `(${node.name}, ${node.indexName})`;
  const guard = node.guard ? ` if (${printExpr(node.guard)})` : '';
  const path = node.path.map(printStep).join('');
  return `case ${names ? `${names} at ` : ''}${path}${node.upsert ? '!' : ''}${guard} -> ${operand(node.body)}`;
}

function printStep(step: UpdateStep): string {
  if (step.by === 'index') return `[${printExpr(step.key)}]`;
  const sign = step.by === 'attribute' ? '.@' : step.by === 'many' ? '.*' : '.';
  return `${sign}${step.namespace ? `${step.namespace}#` : ''}${printExpr(step.key)}`;
}

const printAnnotations = (annotations: readonly Annotation[] | undefined, after: string) =>
  (annotations ?? [])
    .map(
      ({ name, args }) =>
        `@${name}${args.length > 0 ? `(${args.map((entry) => printEntry(entry, ' = ')).join(', ')})` : ''}${after}`,
    )
    .join('');

function printDirective(directive: Directive): string {
  const before = printAnnotations(directive.annotations, '\n');
  return before + bareDirective(directive);
}

function bareDirective(directive: Directive): string {
  switch (directive.kind) {
    case 'version':
      return directive.text;
    case 'output':
      return `output ${printFormat(directive.format)}`;
    case 'input':
      return `input ${directive.name} ${printFormat(directive.format)}`.trimEnd();
    case 'var':
      return `var ${directive.name}${directive.type ? `: ${printType(directive.type, printExpr)}` : ''} = ${operand(directive.value)}`;
    case 'fun': {
      const { generics } = directive.value;
      return `fun ${directive.name}${printGenerics(generics)}${printLambda(directive.value, '=')}`;
    }
    case 'type':
      return `type ${directive.name}${printGenerics(directive.generics)} = ${printType(directive.type, printExpr)}`;
    case 'ns':
      return `ns ${directive.prefix} ${directive.uri}`;
    case 'import':
      return printImport(directive);
    case 'annotation':
      return `annotation ${directive.name}(${directive.params.map(printParam).join(', ')})`;
  }
}

function printFormat(format: FormatSpec): string {
  const type = format.type ? `: ${printType(format.type, printExpr)} ` : '';
  const id = format.id ? ` with ${format.id}` : '';
  const options = format.options.map(({ name, value }) => `${name}=${operand(value)}`).join(', ');
  return `${type}${format.mime}${id}${options ? ` ${options}` : ''}`;
}

function printImport(directive: ImportDirective): string {
  const path = (directive.loader ? `${directive.loader}!` : '') + directive.module.join('::');
  if (directive.names === undefined)
    return `import ${path}${directive.alias ? ` as ${directive.alias}` : ''}`;
  if (directive.names === '*') return `import * from ${path}`;
  return `import ${directive.names.map(({ name, alias }) => (alias ? `${name} as ${alias}` : name)).join(', ')} from ${path}`;
}
