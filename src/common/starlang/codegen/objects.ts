import { compileObject } from '../compile/objects.js';
import type { Scope } from '../compile/scope.js';
import { CELL } from '../limits.js';
import type { Entry, ObjectNode } from '../syntax/ast.js';
import { isPlainKey } from '../values/objects.js';
import type { Generator } from './generator.js';
import type { Atom } from './writer.js';

export function writeObject(g: Generator, node: ObjectNode, scope: Scope): Atom {
  const names = literalNames(node);
  if (names) {
    const values = node.entries.map((entry) => stored(g.expr(entry.value, scope)));
    g.charge((names.length + 2) * CELL);
    const members = names.map((name, i) => `${JSON.stringify(name)}: ${values[i]}`);
    return g.temp(`{ ${members.join(', ')} }`, 'object');
  }
  if (node.rest || node.entries.some((entry) => entry.kind === 'pair' && isQualified(entry)))
    return g.bridge(compileObject(g.c, node, scope), scope);
  const builder = g.temp('new ObjectBuilder()').code;
  for (const entry of node.entries) {
    if (!entry.condition) {
      writeEntry(g, entry, scope, builder);
      continue;
    }
    const test = g.truth(g.expr(entry.condition, scope), entry.condition, 'The condition of an entry');
    g.emit(`if (${test}) {\n${g.nested(scope, () => writeEntry(g, entry, scope, builder))}\n}`);
  }
  return g.temp(`${builder}.done()`);
}

const isQualified = ({ key }: Extract<Entry, { kind: 'pair' }>) =>
  key.namespace !== undefined || key.attributes !== undefined;

/** The keys, when all are literal, distinct and harmless: then the object is a literal of JavaScript too. */
function literalNames(node: ObjectNode): string[] | undefined {
  const names: string[] = [];
  for (const entry of node.entries) {
    if (entry.kind !== 'pair' || entry.condition || isQualified(entry) || entry.key.dynamic) return undefined;
    const { name } = entry.key;
    if (name.kind !== 'string' || !isPlainKey(name.value)) return undefined;
    names.push(name.value);
  }
  return node.rest || new Set(names).size !== names.length ? undefined : names;
}

function stored({ code, known }: Atom): string {
  return known === 'any' ? `typeof ${code} === "object" ? stored(${code}) : ${code}` : code;
}

function writeEntry(g: Generator, entry: Entry, scope: Scope, builder: string): void {
  if (entry.kind === 'spread') {
    const value = g.expr(entry.value, scope);
    g.emit(`spread(${value.code}, ${builder}, ${g.constant(entry.value)});`);
    return;
  }
  const { name, dynamic } = entry.key;
  let key: string;
  if (name.kind === 'string' && !dynamic) key = JSON.stringify(name.value);
  else {
    const { code, known } = g.expr(name, scope);
    key =
      known === 'string'
        ? code
        : g.temp(`typeof ${code} === "string" ? ${code} : keyOf(${code}, ${g.constant(name)})`).code;
  }
  g.emit(`${builder}.add(${key}, ${g.expr(entry.value, scope).code});`);
}
