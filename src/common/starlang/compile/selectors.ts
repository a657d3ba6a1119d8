import { typeFault } from '../errors/fault.js';
import {
  descendants,
  selectAll,
  selectAttribute,
  selectDeep,
  selectDeepAll,
  selectFilter,
  selectIndex,
  selectName,
  selectNamespace,
  selectPairs,
  type Found,
} from '../runtime/select.js';
import { truth } from '../runtime/operators.js';
import type { Expr, SelectNode } from '../syntax/ast.js';
import { Box } from '../values/box.js';
import { requireText } from '../values/text.js';
import type { Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec, type Frame } from './exec.js';
import type { Scope } from './scope.js';
import { metadataOf } from '../runtime/metadata.js';

type Find = (frame: Frame) => Found;

export function compileSelect(c: Compiler, node: SelectNode, scope: Scope): Exec {
  const fast = fastName(c, node, scope);
  if (fast) return fast;
  const find = compileFind(c, node, scope);
  const guarded: Find = (frame) => {
    try {
      return find(frame);
    } catch (error) {
      throw locate(error, node);
    }
  };
  if (node.check === '?') return (frame) => guarded(frame) !== undefined;
  if (node.check === '!') {
    return (frame) => {
      const found = guarded(frame);
      if (found !== undefined) return found;
      throw locate(typeFault(`There is no ${describe(node)}`), node);
    };
  }
  const { selector, reach } = node;
  const miss = (reach === 'deep' || reach === 'deepPairs') && selector.by !== 'meta' ? [] : null;
  return (frame) => guarded(frame) ?? (miss === null ? null : []);
}

/** `.name` on a plain object: the commonest thing a script does. */
function fastName(c: Compiler, node: SelectNode, scope: Scope): Exec | undefined {
  const { selector, reach } = node;
  if (
    selector.by !== 'name' ||
    reach !== 'one' ||
    node.check ||
    selector.namespace ||
    selector.name.kind !== 'string'
  )
    return undefined;
  const name = selector.name.value;
  // A name on Object.prototype is only read after an own-property check.
  const inherited = name in Object.prototype;
  const target = c.expr(node.target, scope);
  const slow = (value: Value): Value => {
    try {
      return selectName(value, name) ?? null;
    } catch (error) {
      throw locate(error, node);
    }
  };
  return (frame) => {
    const value = target(frame);
    if (value === null) return null;
    if (inherited || typeof value !== 'object' || Array.isArray(value) || value instanceof Box)
      return slow(value);
    return value[name] ?? null;
  };
}

function describe({ selector }: SelectNode): string {
  const { by } = selector;
  if ((by === 'name' || by === 'attribute') && selector.name?.kind === 'string')
    return by === 'name' ? `key "${selector.name.value}"` : `attribute "${selector.name.value}"`;
  return 'such member';
}

function compileFind(c: Compiler, node: SelectNode, scope: Scope): Find {
  const { selector, reach } = node;
  const target = c.expr(node.target, scope);
  switch (selector.by) {
    case 'name':
      return findName(
        target,
        nameExec(c, selector.name, scope),
        namespaceOf(c, node, selector.namespace, scope),
        reach,
      );
    case 'index': {
      const index = c.expr(selector.value, scope);
      return (frame) => selectIndex(target(frame), index(frame));
    }
    case 'filter':
      return findFiltered(c, selector.condition, scope, target, reach);
    case 'attribute': {
      const name = selector.name && nameExec(c, selector.name, scope);
      const namespace = namespaceOf(c, node, selector.namespace, scope);
      return findAttribute(target, name, namespace, reach);
    }
    case 'namespace':
      return (frame) => selectNamespace(target(frame));
    case 'meta': {
      const name = selector.name && nameExec(c, selector.name, scope);
      return (frame) => metadataOf(target(frame), name?.(frame));
    }
    case 'descendants':
      return (frame) => descendants(target(frame));
  }
}

function namespaceOf(
  c: Compiler,
  node: SelectNode,
  prefix: string | undefined,
  scope: Scope,
): string | undefined {
  if (prefix === undefined) return undefined;
  const uri = scope.namespace(prefix);
  if (uri === undefined)
    c.problem(
      node,
      'reference',
      `The namespace "${prefix}" is not declared`,
      `declare it: ns ${prefix} http://…`,
    );
  return uri ?? '';
}

function nameExec(c: Compiler, node: Expr, scope: Scope): (frame: Frame) => string {
  if (node.kind === 'string') {
    const { value } = node;
    return () => value;
  }
  const exec = c.expr(node, scope);
  return (frame) => {
    const value = exec(frame);
    if (value === null) throw typeFault('The name of a member cannot be null');
    return requireText(value);
  };
}

function findName(
  target: Exec,
  name: (frame: Frame) => string,
  namespace: string | undefined,
  reach: SelectNode['reach'],
): Find {
  switch (reach) {
    case 'one':
      return (frame) => selectName(target(frame), name(frame), namespace);
    case 'many':
      return (frame) => selectAll(target(frame), name(frame), namespace);
    case 'pairs':
      return (frame) => selectPairs(target(frame), name(frame), namespace);
    case 'deepMany':
      return (frame) => selectDeepAll(target(frame), name(frame), namespace);
    case 'deep':
      return (frame) => {
        const wanted = name(frame);
        return selectDeep(target(frame), (object) => selectName(object, wanted, namespace));
      };
    case 'deepPairs':
      return (frame) => {
        const wanted = name(frame);
        return selectDeep(target(frame), (object) => selectPairs(object, wanted, namespace));
      };
  }
}

function findAttribute(
  target: Exec,
  name: ((frame: Frame) => string) | undefined,
  namespace: string | undefined,
  reach: SelectNode['reach'],
): Find {
  return (frame) => {
    const value = target(frame);
    const wanted = name?.(frame);
    if (reach === 'one') return selectAttribute(value, wanted, namespace);
    if (reach === 'many') {
      const found = selectAttribute(value, wanted, namespace);
      return found === undefined || Array.isArray(found) ? found : [found];
    }
    return descendants(value).flatMap((one) => {
      const found = Array.isArray(one) ? undefined : selectAttribute(one, wanted, namespace);
      return found === undefined ? [] : [found];
    });
  };
}

function findFiltered(
  c: Compiler,
  condition: Expr,
  scope: Scope,
  target: Exec,
  reach: SelectNode['reach'],
): Find {
  const inner = scope.inner();
  for (const dollar of ['$', '$$', '$$$']) inner.define(dollar);
  const test = c.expr(condition, inner);
  return (frame) => {
    const value = target(frame);
    const parent = frame as unknown as Value;
    const passes = (item: Value, key: Value): boolean =>
      truth(test([parent, item, key, key]), 'A filter selector');
    if (reach !== 'one') return selectDeep(value, (object) => selectFilter(object, passes));
    return selectFilter(value, passes);
  };
}
