import { resolveName } from '../compile/names.js';
import type { Scope, Signature } from '../compile/scope.js';
import type { LibraryFunction } from '../library/define.js';
import { coreFunction } from '../library/registry.js';
import { paramAt } from '../runtime/dispatch.js';
import type { CallNode } from '../syntax/ast.js';
import type { Generator } from './generator.js';
import { writeCallback } from './lambdas.js';
import { writeLoop } from './loops.js';
import { nativesOf } from './natives.js';
import type { Atom } from './writer.js';

export function writeCall(g: Generator, node: CallNode, scope: Scope): Atom {
  const resolved = node.callee.kind === 'name' ? resolveName(g.c, node.callee, scope) : undefined;
  if (resolved?.binding.kind === 'library') return writeLibraryCall(g, node, scope, resolved.binding.fn);
  const slot = resolved?.binding.kind === 'slot' ? resolved.binding : undefined;
  const place = slot && g.places.get(slot);
  const direct = place?.in === 'frame' && place.direct?.count === node.args.length ? place.direct : undefined;
  const callee = direct ? undefined : g.expr(node.callee, scope);
  const args = node.args.map((arg, i) => {
    const callback = node.infix && i === 0 ? -1 : callbackOf(slot?.signatures, node.args.length, i);
    return (callback < 0 ? g.expr(arg, scope) : writeCallback(g, arg, scope, callback)).code;
  });
  const name = node.callee.kind === 'name' ? node.callee.name : 'function';
  const [where, label] = [g.constant(node), JSON.stringify(name)];
  if (!callee && direct)
    return attempt(g, `${direct.code}(${args.join(', ')})`, `calledFault(e, ${where}, ${label})`);
  return g.temp(`callValue(${callee?.code}, [${args.join(', ')}], ${where}, ${label})`);
}

/** An expression whose fault gets its place and a line of the trace. */
function attempt(g: Generator, code: string, fault: string): Atom {
  const name = g.fresh('t');
  g.emit(`let ${name};\ntry { ${name} = ${code}; } catch (e) { throw ${fault}; }`);
  return { code: name, known: 'any' };
}

function callbackOf(signatures: readonly Signature[] | undefined, count: number, i: number): number {
  let callback = -1;
  for (const { min, max, callbacks } of signatures ?? [])
    if (count >= min && count <= max) callback = Math.max(callback, callbacks[i] ?? -1);
  return callback;
}

function writeLibraryCall(g: Generator, node: CallNode, scope: Scope, fn: LibraryFunction): Atom {
  const count = node.args.length;
  const fitting = fn.overloads.filter(({ min, params }) => count >= min && count <= params.length);
  if (fitting.length === 0) throw new Error(`no overload of ${fn.name} takes ${count} arguments`);
  const callbacks = node.args.map((_, i) =>
    node.infix && i === 0
      ? -1
      : Math.max(...fitting.map((overload) => paramAt(overload, i, count)?.callback ?? -1)),
  );
  if (coreFunction(fn.name) === fn && count === 2) {
    const loop = writeLoop(g, node, scope, fn);
    if (loop) return loop;
  }
  const args = node.args.map((arg, i) => {
    const callback = callbacks[i] as number;
    return callback < 0 ? g.expr(arg, scope) : writeCallback(g, arg, scope, callback);
  });
  if (fn.name === '++') return concatenation(g, node, fn, args as [Atom, Atom]);
  return libraryCall(g, node, fn, args);
}

function libraryCall(g: Generator, node: CallNode, fn: LibraryFunction, args: readonly Atom[]): Atom {
  const list = args.map(({ code }) => code).join(', ');
  const general = `callLibrary(${g.constant(fn)}, [${list}])`;
  const [name, depth] = [g.fresh('t'), g.fresh('d')];
  const fault = `libraryFault(e, ${g.machine}, ${depth}, ${g.constant(node)}, ${JSON.stringify(fn.name)})`;
  let code = `${name} = ${general};`;
  for (const { test, run } of nativesOf(fn, args).toReversed())
    code = test
      ? `if (${test}) ${name} = ${g.constant(run)}(${list});\nelse ${code}`
      : `${name} = ${g.constant(run)}(${list});`;
  g.emit(`let ${name};\nconst ${depth} = ${g.machine}.depth;`);
  g.emit(`try { ${code} } catch (e) { throw ${fault}; }`);
  return { code: name, known: 'any' };
}

function concatenation(g: Generator, node: CallNode, fn: LibraryFunction, [a, b]: [Atom, Atom]): Atom {
  const checks = [a, b].filter(({ known }) => known !== 'string');
  const slow = `concatenated(${g.constant(fn)}, ${a.code}, ${b.code}, ${g.constant(node)})`;
  if (checks.some(({ known }) => known !== 'any')) return g.temp(slow);
  const isText = checks.map(({ code }) => `typeof ${code} === "string" && `).join('');
  const joined = `joined(${a.code}, ${b.code}, ${g.constant(node)})`;
  const test = isText.replace(/ && $/, '');
  return test === '' ? g.temp(joined, 'string') : g.temp(`${test} ? ${joined} : ${slow}`);
}
