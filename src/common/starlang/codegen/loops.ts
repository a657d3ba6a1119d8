import { compileCallback } from '../compile/lambdas.js';
import type { Scope } from '../compile/scope.js';
import type { LibraryFunction } from '../library/define.js';
import type { CallNode, Expr } from '../syntax/ast.js';
import type { Generator } from './generator.js';
import { DOLLARS, isSimple, isUsed } from './lambdas.js';
import type { Atom, Known } from './writer.js';

/** The loop of a library function, with the body of its callback inside. */
interface Loop {
  over: 'items' | 'pairs';
  known: Known;
  before?: (result: string, list: string) => string;
  /** What is done with the value `made` of the callback for `item`. */
  each: (result: string, made: Atom, item: string, index: string, key: string) => string;
  after?: (result: string, list: string) => string;
}

const pairsInto = (each: Loop['each'], known: Known): Loop => ({
  over: 'pairs',
  known,
  before: (result) => `${result} = ${known === 'array' ? '[]' : 'new ObjectBuilder()'};`,
  each,
  ...(known === 'array' ? {} : { after: (result) => `${result} = ${result}.done();` }),
});

const passes = ({ code, known }: Atom, name: string) =>
  known === 'boolean' ? code : `${code} === true || ${code} !== false && passes(${code}, "${name}")`;

const LOOPS: Readonly<Record<string, Loop>> = Object.assign(Object.create(null) as object, {
  map: {
    over: 'items',
    known: 'array',
    before: (result, list) => `${result} = new Array(${list}.length);`,
    each: (result, made, _item, index) => `${result}[${index}] = ${made.code};`,
  },
  filter: {
    over: 'items',
    known: 'array',
    before: (result) => `${result} = [];`,
    each: (result, made, item) => `if (${passes(made, 'filter')}) ${result}.push(${item});`,
  },
  flatMap: {
    over: 'items',
    known: 'array',
    before: (result) => `${result} = [];`,
    each: (result, made) => `pushAll(${result}, ${made.code});`,
  },
  groupBy: {
    over: 'items',
    known: 'any',
    before: (result) => `${result} = new Groups();`,
    each: (result, made, item) =>
      `${result}.add(${made.known === 'string' ? made.code : `typeof ${made.code} === "string" ? ${made.code} : groupName(${made.code})`}, ${item});`,
    after: (result) => `${result} = ${result}.done();`,
  },
  distinctBy: {
    over: 'items',
    known: 'array',
    before: (result) => `${result} = new Distinct();`,
    each: (result, made, item) => `${result}.add(${made.code}, ${item});`,
    after: (result) => `${result} = ${result}.items;`,
  },
  orderBy: {
    over: 'items',
    known: 'array',
    before: (result, list) => `${result} = new Array(${list}.length);`,
    each: (result, { code }, _item, index) =>
      `${result}[${index}] = typeof ${code} === "object" ? sortKey(${code}) : ${code};`,
    after: (result, list) => `${result} = sortedBy(${list}, ${result});`,
  },
  mapObject: pairsInto((result, made) => `addMapped(${result}, ${made.code});`, 'object'),
  filterObject: pairsInto(
    (result, made, item, _index, key) =>
      `if (${passes(made, 'filterObject')}) ${result}.add(${key}, ${item});`,
    'object',
  ),
  pluck: pairsInto((result, made) => `${result}.push(${made.code});`, 'array'),
} satisfies Record<string, Loop>);

/** `list f callback` as a loop, when the callback is written there; undefined when it must be a call. */
export function writeLoop(g: Generator, node: CallNode, scope: Scope, fn: LibraryFunction): Atom | undefined {
  const [list, callback] = node.args as [Expr, Expr];
  if (fn.name === 'reduce') return writeFold(g, node, scope, fn);
  const loop = LOOPS[fn.name];
  const count = loop?.over === 'pairs' ? 3 : 2;
  if (!loop || !isInline(callback, count)) return undefined;
  const [result, items, item, index, keys, key] = ['t', 's', 'v', 'i', 's', 'v'].map((prefix) =>
    g.fresh(prefix),
  ) as [string, string, string, string, string, string];
  const values = loop.over === 'pairs' ? [item, key, index] : [item, index];
  const turn = writeTurn(g, callback, scope, values, (made) =>
    g.emit(loop.each(result, made, item, index, key)),
  );
  if (turn === undefined) return undefined;
  const target = g.expr(list, scope);
  const opening = loop.over === 'pairs' ? `const ${key} = ${keys}[${index}];\n${tick(g, 2)}` : tick(g, 1);
  const lists =
    loop.over === 'pairs'
      ? `const ${keys} = pairKeys(${target.code}), ${items} = ${keys} && pairValues(${target.code});`
      : `const ${items} = ${itemsOf(target)};`;
  return inLoop(g, node, scope, fn, target, result, loop.known, {
    lists,
    items,
    before: loop.before?.(result, items) ?? '',
    body: `for (let ${index} = 0; ${index} < ${items}.length; ${index}++) {\nconst ${item} = ${items}[${index}];\n${opening}\n${turn}\n}`,
    after: loop.after?.(result, items) ?? '',
  });
}

function itemsOf({ code, known }: Atom): string {
  return known === 'array' ? code : `Array.isArray(${code}) ? ${code} : itemsOf(${code})`;
}

const tick = (g: Generator, by: number) => `if ((${g.machine}.tick -= ${by}) < 0) M.check();`;

interface Parts {
  lists: string;
  items: string;
  before: string;
  body: string;
  after: string;
}

/** Around a loop: the budget for depth, the place of faults, and a call for what is no list. */
function inLoop(
  g: Generator,
  node: CallNode,
  scope: Scope,
  fn: LibraryFunction,
  target: Atom,
  result: string,
  known: Known,
  parts: Parts,
): Atom {
  const depth = g.fresh('d');
  const callback = node.args[1] as Expr;
  const count = fn.name === 'mapObject' || fn.name === 'filterObject' || fn.name === 'pluck' ? 3 : 2;
  const other = g.constant(lazily(() => compileCallback(g.c, callback, scope, count)));
  const isList = target.known === 'array' && parts.lists !== '';
  const call = `${result} = callLibrary(${g.constant(fn)}, [${target.code}, ${other}(${g.unit(scope).frame()})]);`;
  g.emit(`let ${result};\nconst ${depth} = ${g.machine}.depth;\ntry {\n${parts.lists}`);
  g.emit(`if (${parts.items} !== void 0) {\n${parts.before}\nif (${parts.items}.length > 0) deeper();`);
  g.emit(
    `${parts.body}\nM.depth = ${depth};\n${parts.after}\n${known === 'array' ? `cells(${result}.length);` : ''}\n} else ${call}`,
  );
  g.emit(
    `} catch (e) { throw libraryFault(e, M, ${depth}, ${g.constant(node)}, ${JSON.stringify(fn.name)}); }`,
  );
  return { code: result, known: isList ? known : 'any' };
}

/** A closure that is only compiled when it is needed. */
function lazily(compile: () => ReturnType<typeof compileCallback>): ReturnType<typeof compileCallback> {
  let made: ReturnType<typeof compileCallback> | undefined;
  return (frame) => (made ??= compile())(frame);
}

/** Can the body stand in the loop? */
function isInline(callback: Expr, count: number): boolean {
  return callback.kind !== 'lambda' || (isSimple(callback) && callback.params.length <= count);
}

/** The statements of one turn; undefined when the callback is no function of its item after all. */
function writeTurn(
  g: Generator,
  callback: Expr,
  scope: Scope,
  values: readonly string[],
  then: (made: Atom) => void,
): string | undefined {
  const inner = scope.inner();
  g.addUnit(inner, scope);
  const implicit = callback.kind !== 'lambda' || callback.params.length === 0;
  const names = implicit ? DOLLARS : callback.params.map(({ name }) => name);
  const body = callback.kind === 'lambda' ? callback.body : callback;
  const text = g.nested(inner, () => {
    for (const [i, name] of names.entries()) g.define(inner, name, values[i] ?? 'NONE');
    then(g.expr(body, inner));
  });
  if (callback.kind !== 'lambda' && !DOLLARS.some((dollar) => isUsed(inner, dollar))) return undefined;
  return text;
}

const CONSTANT = new Set(['string', 'number', 'boolean', 'null']);

/** `reduce`: the start value is the default of the second parameter, or the first item. */
function writeFold(g: Generator, node: CallNode, scope: Scope, fn: LibraryFunction): Atom | undefined {
  const [list, callback] = node.args as [Expr, Expr];
  const second = callback.kind === 'lambda' ? callback.params[1] : undefined;
  const start = second?.value;
  if (callback.kind === 'lambda') {
    const { params, result } = callback;
    if (
      result ||
      callback.generics?.length ||
      params.length > 2 ||
      params[0]?.type ||
      params[0]?.value ||
      second?.type
    )
      return undefined;
    if (start && !isConstant(start)) return undefined;
  }
  const [result, items, item, index, sum] = ['t', 's', 'v', 'i', 'v'].map((prefix) => g.fresh(prefix)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const turn = writeTurn(g, callback, scope, [item, sum], ({ code }) => g.emit(`${result} = ${code};`));
  if (turn === undefined) return undefined;
  const target = g.expr(list, scope);
  let before: string;
  if (start) before = g.nested(scope, () => g.emit(`${result} = ${g.expr(start, scope).code};`));
  else before = `${result} = ${items}.length > 0 ? ${items}[0] : null;`;
  const from = start ? 0 : 1;
  return inLoop(g, node, scope, fn, target, result, 'any', {
    lists: `const ${items} = ${itemsOf(target)};`,
    items,
    before,
    body: `for (let ${index} = ${from}; ${index} < ${items}.length; ${index}++) {\nconst ${item} = ${items}[${index}], ${sum} = ${result};\n${tick(g, 1)}\n${turn}\n}`,
    after: '',
  });
}

/** May the start value be made without the frame of the function? */
function isConstant(node: Expr): boolean {
  if (node.kind === 'array') return node.items.length === 0 && !node.rest;
  if (node.kind === 'object') return node.entries.length === 0 && !node.rest;
  return CONSTANT.has(node.kind);
}
