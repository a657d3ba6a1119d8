import { Compiler } from '../compile/compiler.js';
import type { Exec } from '../compile/exec.js';
import type { Linked } from '../compile/link.js';
import { ownModule } from '../compile/modules.js';
import { FrameInfo, Scope } from '../compile/scope.js';
import { writeDirectives } from './directives.js';
import { Generator, TooLarge } from './generator.js';
import { SUPPORT } from './support.js';

const NAMES = Object.keys(SUPPORT);
/** Longer code than this is not worth the memory, and engines give up on optimising it. */
const LONGEST = 400_000;

export interface Generated {
  /** Of a function of `SUPPORT`'s members, in the order of {@link supportNames}, and `constants`. */
  source: string;
  constants: unknown[];
}

export const supportNames: readonly string[] = NAMES;

/**
 * The code of a script whose `inputs` are in the first slots of its frame.
 * @throws TooLarge when closures are the better choice
 */
export function generate({ source, ast, modules }: Linked, inputs: Iterable<string>): Generated {
  const { body } = ast;
  if (!body) throw new TooLarge('nothing to write');
  const g = new Generator(new Compiler(source));
  const scope = new Scope(undefined, new FrameInfo());
  const unit = g.addUnit(scope, undefined);
  unit.home = 'F';
  const slots = Array.from(inputs, (name) => scope.define(name));
  const locals = slots.map(() => g.fresh('a'));
  for (const [i, slot] of slots.entries()) g.places.set(slot, { in: 'local', code: locals[i] as string });
  const text = g.functionBody(scope, () => {
    for (const { path, ast: module } of modules) {
      const own = new Scope(undefined, scope.frame);
      writeDirectives(g, module.directives, own);
      g.c.ownModules.set(path, ownModule(path, module, own));
    }
    const top = scope.block();
    writeDirectives(g, ast.directives, top);
    g.emit(`return ${g.expr(body, top).code};`);
  });
  const reads = slots
    .map((slot, i) => (slot.used ? `const ${locals[i]} = F[${slot.index}];\n` : ''))
    .join('');
  const held = g.constants.map((_, i) => `k${i} = constants[${i}]`);
  const constants = held.length > 0 ? `const ${held.join(', ')};\n` : '';
  const whole = `"use strict";\n${constants}return function (F) {\n${reads}${text}\n};`;
  if (whole.length > LONGEST) throw new TooLarge('the code is too long');
  const [problem] = g.c.problems;
  if (problem) throw new Error(`a script without problems has one now: ${problem.message}`);
  return { source: whole, constants: g.constants };
}

/** @throws EvalError where the process forbids code from text */
export function instantiate({ source, constants }: Generated): Exec {
  // Written by the generator alone, from names of its own and JSON literals.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function('constants', ...NAMES, source) as (...given: unknown[]) => Exec;
  return make(constants, ...Object.values(SUPPORT));
}
