import type { DoNode, UsingNode } from '../syntax/ast.js';
import type { Compiler } from './compiler.js';
import { compileDirectives } from './directives.js';
import { UNSET, type Exec } from './exec.js';
import type { Value } from '../values/value.js';
import type { Scope } from './scope.js';

/** A `do` is a block of its own frame: a recursive function may be in it twice at a time. */
export function compileDo(c: Compiler, node: DoNode, scope: Scope): Exec {
  const block = scope.block();
  const begin = compileDirectives(c, node.directives, block);
  const body = c.expr(node.body, block);
  if (!begin) return body;
  return (frame) => {
    begin(frame);
    return body(frame);
  };
}

export function compileUsing(c: Compiler, node: UsingNode, scope: Scope): Exec {
  const block = scope.block();
  const steps = node.bindings.map(({ name, value }) => {
    const exec = c.expr(value, block);
    const binding = block.define(name, true);
    block.frame.size++;
    return { index: binding.index, exec };
  });
  const body = c.expr(node.body, block);
  return (frame) => {
    for (const { index, exec } of steps) {
      frame[index] = UNSET;
      frame[index + 1] = exec as unknown as Value;
    }
    return body(frame);
  };
}
