import type { UpdateCase, UpdateNode, UpdateStep } from '../syntax/ast.js';
import { updatePath, type PathStep } from '../runtime/update.js';
import type { Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec, type Frame } from './exec.js';
import type { Scope } from './scope.js';

export function compileUpdate(c: Compiler, node: UpdateNode, scope: Scope): Exec {
  const subject = c.expr(node.subject, scope);
  const cases = node.cases.map((one) => compileCase(c, one, scope));
  return (frame) => {
    let value = subject(frame);
    for (const apply of cases) value = apply(value, frame);
    return value;
  };
}

function compileCase(c: Compiler, node: UpdateCase, scope: Scope): (value: Value, frame: Frame) => Value {
  const steps = node.path.map((step) => compileStep(c, step, scope));
  const block = scope.block();
  const dollar = block.define('$').index;
  const name = node.name === undefined ? undefined : block.define(node.name).index;
  const position = node.indexName === undefined ? undefined : block.define(node.indexName).index;
  const guard = node.guard && c.test(node.guard, block, 'The guard of a case');
  const body = c.expr(node.body, block);
  return (value, frame) => {
    const change = (old: Value, index: Value): Value => {
      frame[dollar] = old;
      if (name !== undefined) frame[name] = old;
      if (position !== undefined) frame[position] = index;
      return !guard || guard(frame) ? body(frame) : old;
    };
    const path = steps.map((step) => step(frame));
    const wanted = (old: Value, index: Value): boolean => {
      if (!guard) return true;
      frame[dollar] = old;
      if (name !== undefined) frame[name] = old;
      if (position !== undefined) frame[position] = index;
      return guard(frame);
    };
    try {
      return updatePath(value, path, node.upsert, change, wanted);
    } catch (error) {
      throw locate(error, node);
    }
  };
}

function compileStep(c: Compiler, step: UpdateStep, scope: Scope): (frame: Frame) => PathStep {
  const key = c.expr(step.key, scope);
  const namespace = step.namespace === undefined ? undefined : scope.namespace(step.namespace);
  return (frame) => ({ by: step.by, key: key(frame), namespace, prefix: step.namespace });
}
