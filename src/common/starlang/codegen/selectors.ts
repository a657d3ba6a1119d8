import { compileSelect } from '../compile/selectors.js';
import type { Scope } from '../compile/scope.js';
import type { SelectNode } from '../syntax/ast.js';
import type { Generator } from './generator.js';
import type { Atom } from './writer.js';

/** `.name` and `[index]`; every other selector stays a closure. */
export function writeSelect(g: Generator, node: SelectNode, scope: Scope): Atom {
  const { selector, reach, check } = node;
  if (reach !== 'one' || check) return g.bridge(compileSelect(g.c, node, scope), scope);
  if (selector.by === 'name' && !selector.namespace && selector.name.kind === 'string')
    return writeMember(g, node, selector.name.value, scope);
  if (selector.by === 'index') {
    const target = g.expr(node.target, scope);
    const index = g.expr(selector.value, scope);
    return g.temp(`itemAt(${target.code}, ${index.code}, ${g.constant(node)})`);
  }
  return g.bridge(compileSelect(g.c, node, scope), scope);
}

function writeMember(g: Generator, node: SelectNode, name: string, scope: Scope): Atom {
  const target = g.expr(node.target, scope);
  const { code } = target;
  const key = JSON.stringify(name);
  const slow = `member(${code}, ${key}, ${g.constant(node)})`;
  // A name on Object.prototype is only read after an own-property check.
  if (name in Object.prototype) return g.temp(slow);
  if (target.known === 'object') return g.temp(`${code}[${key}] ?? null`);
  return g.temp(`${g.isPlain(target)} ? ${code}[${key}] ?? null : ${slow}`);
}
