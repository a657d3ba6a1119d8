import { declareDirectives, type Functions } from '../compile/directives.js';
import type { Scope } from '../compile/scope.js';
import { compileType } from '../compile/types.js';
import type { Directive, DoNode } from '../syntax/ast.js';
import type { Generator } from './generator.js';
import { isSimple, simpleFunction, writeLambda } from './lambdas.js';
import type { Slot } from './unit.js';
import type { Atom } from './writer.js';

/** A block; its functions and variables need a frame that is really there. */
export function writeDo(g: Generator, node: DoNode, scope: Scope): Atom {
  const name = g.fresh('t');
  const block = scope.block();
  const text = g.nested(scope, () => {
    writeDirectives(g, node.directives, block);
    g.emit(`${name} = ${g.expr(node.body, block).code};`);
  });
  g.emit(`let ${name};\n{\n${text}\n}`);
  return { code: name, known: 'any' };
}

/** Declares everything in `scope` and writes what sets a frame up. */
export function writeDirectives(g: Generator, directives: readonly Directive[], scope: Scope): void {
  const functions = declareDirectives(g.c, directives, scope);
  const vars = directives.filter((directive) => directive.kind === 'var');
  if (functions.size === 0 && vars.length === 0) return;
  const unit = g.unit(scope);
  if (unit.home === undefined) {
    const home = g.fresh('F');
    g.emit(`const ${home} = ${unit.frame()};`);
    unit.home = home;
  }
  const { home } = unit;
  for (const { name } of vars) g.places.set(slotOf(scope, name), { in: 'frame', frame: home });
  writeFunctions(g, functions, scope, home);
  for (const directive of vars) {
    const { index } = slotOf(scope, directive.name);
    const type = directive.type && compileType(g.c, directive.type, scope);
    const thunk = g.functionBody(scope, () => {
      const { code } = g.expr(directive.value, scope);
      g.emit(
        `return ${type ? `ofType(${g.constant(type)}, ${code}, ${g.constant(directive.value)})` : code};`,
      );
    });
    g.emit(`${home}[${index}] = UNSET;\n${home}[${index + 1}] = () => {\n${thunk}\n};`);
  }
}

function slotOf(scope: Scope, name: string): Slot {
  const binding = scope.names.get(name);
  if (binding?.kind !== 'slot') throw new Error('a variable without a slot');
  return binding;
}

function writeFunctions(g: Generator, functions: Functions, scope: Scope, home: string): void {
  for (const [name, { nodes }] of functions) {
    const [node] = nodes;
    const direct =
      nodes.length === 1 && node && isSimple(node)
        ? { code: g.fresh('f'), count: node.params.length }
        : undefined;
    g.places.set(slotOf(scope, name), { in: 'frame', frame: home, ...(direct ? { direct } : {}) });
  }
  for (const [name, { index, nodes }] of functions) {
    const place = g.places.get(slotOf(scope, name));
    const direct = place?.in === 'frame' ? place.direct : undefined;
    const [node] = nodes;
    if (direct && node) {
      const params = node.params.map((param) => ({ name: param.name, optional: false }));
      g.emit(`const ${direct.code} = ${simpleFunction(g, node, scope)};`);
      g.emit(`${home}[${index}] = new Fn(${JSON.stringify(name)}, ${g.constant(params)}, ${direct.code});`);
      continue;
    }
    const made = nodes.map((one) => writeLambda(g, one, scope, name).code);
    g.emit(
      `${home}[${index}] = ${made.length === 1 ? made[0] : `overloaded(${JSON.stringify(name)}, [${made.join(', ')}])`};`,
    );
  }
}
