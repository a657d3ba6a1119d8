import { compileName, resolveName } from '../compile/names.js';
import type { Scope } from '../compile/scope.js';
import type { ImplicitNode, NameNode } from '../syntax/ast.js';
import type { Generator } from './generator.js';
import type { Atom } from './writer.js';

const IMPLICIT = ['', '$', '$$', '$$$'];

export function writeName(g: Generator, node: NameNode | ImplicitNode, scope: Scope): Atom {
  const found =
    node.kind === 'name' ? resolveName(g.c, node, scope) : scope.resolve(IMPLICIT[node.level] as string);
  if (found?.binding.kind === 'slot') {
    const { binding } = found;
    const place = g.places.get(binding);
    if (!place) throw new Error('a slot without a place');
    binding.used = true;
    if (place.in === 'local') return { code: place.code, known: 'any' };
    const { index, lazy } = binding;
    if (!lazy) return g.temp(`${place.frame}[${index}]`);
    const name = g.fresh('t');
    g.emit(`let ${name} = ${place.frame}[${index}];`);
    g.emit(
      `if (${name} === UNSET || ${name} === BUSY) ${name} = lazy(${place.frame}, ${index}, ${g.constant(node)});`,
    );
    return { code: name, known: 'any' };
  }
  // Types, constants and functions of the library are the same whatever the frame.
  return { code: g.constant(compileName(g.c, node, scope)([null])), known: 'any' };
}
