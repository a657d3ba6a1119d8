import { typeFault } from '../errors/fault.js';
import type { MatchCase, MatchNode } from '../syntax/ast.js';
import { accepts } from '../values/accepts.js';
import { coerceTo } from '../values/coerce.js';
import { equals } from '../values/equality.js';
import { kindOf } from '../values/kind.js';
import {
  bare,
  isObject,
  keysOf,
  objectFrom,
  sizeOfObject,
  valuesOf,
  type KeyLike,
} from '../values/objects.js';
import { Range } from '../values/range.js';
import { preview, textOf } from '../values/text.js';
import type { Regex } from '../regex/regex.js';
import type { Value } from '../values/value.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec, type Frame } from './exec.js';
import type { Scope } from './scope.js';
import { compileTest } from './types.js';

/** Undefined when the case does not apply; otherwise its names are bound in the frame. */
type Test = (value: Value, frame: Frame) => boolean;
type Put = (frame: Frame, value: Value) => void;

export function compileMatch(c: Compiler, node: MatchNode, scope: Scope): Exec {
  const subject = c.expr(node.subject, scope);
  const cases = node.cases.map((one) => compileCase(c, one, scope));
  return (frame) => {
    const value = subject(frame);
    for (const { test, body } of cases) if (test(value, frame)) return body(frame);
    return noMatch(value, node);
  };
}

function compileCase(c: Compiler, node: MatchCase, scope: Scope): { test: Test; body: Exec } {
  const block = scope.block();
  const name = 'name' in node.pattern ? node.pattern.name : undefined;
  const puts = [slot(block, '$'), ...(name === undefined ? [] : [slot(block, name)])];
  const put: Put = (frame, value) => {
    for (const one of puts) one(frame, value);
  };
  const pattern = compilePattern(c, node, block, put);
  const guard = node.guard && c.test(node.guard, block, 'The guard of a case');
  const body = c.expr(node.body, block);
  const test: Test = guard ? (value, frame) => pattern(value, frame) && guard(frame) : pattern;
  return { test, body };
}

function slot(scope: Scope, name: string): Put {
  const { index } = scope.define(name);
  return (frame, value) => {
    frame[index] = value;
  };
}

function compilePattern(c: Compiler, { pattern }: MatchCase, block: Scope, put: Put): Test {
  switch (pattern.kind) {
    case 'any':
    case 'bind':
      return (value, frame) => (put(frame, value), true);
    case 'literal': {
      const literal = c.expr(pattern.value, block);
      return (value, frame) => (put(frame, value), equals(value, literal(frame)));
    }
    case 'type': {
      const type = compileTest(c, pattern.type, block);
      return (value, frame) => (put(frame, value), accepts(type, value));
    }
    case 'regex': {
      const regex = c.expr(pattern.value, block);
      return (value, frame) => {
        const groups = groupsOf(() => regex(frame), value);
        if (!groups) return false;
        put(frame, groups);
        return true;
      };
    }
    case 'array': {
      const { head, tail } = pattern;
      const [putHead, putTail] = [head && slot(block, head), tail && slot(block, tail)];
      return (given, frame) => {
        const value = bare(given);
        const items = value instanceof Range ? value.items() : value;
        if (!Array.isArray(items) || items.length > 0 !== (head !== undefined)) return false;
        put(frame, given);
        if (putHead) putHead(frame, items[0] as Value);
        if (putTail) putTail(frame, items.slice(1));
        return true;
      };
    }
    case 'object':
      return objectPattern(pattern, block, put);
  }
}

/** The groups of a text that a regex matches as a whole. */
export function groupsOf(regex: () => Value, value: Value): Value[] | undefined {
  const text = value === null || Array.isArray(value) ? undefined : textOf(value);
  if (text === undefined) return undefined;
  const found = (coerceTo(regex(), 'Regex') as Regex).whole(text);
  return found?.groups.map((group) => group ?? null);
}

export function noMatch(value: Value, node: MatchNode): never {
  throw locate(
    typeFault(`No case matches ${kindOf(value)} (${preview(value)})`, 'add an else: else -> null'),
    node,
  );
}

function objectPattern(
  pattern: { key?: string; value?: string; tail?: string },
  block: Scope,
  put: Put,
): Test {
  const names = [pattern.key, pattern.value, pattern.tail].map((name) =>
    name === undefined ? undefined : slot(block, name),
  );
  return (given, frame) => {
    const value = bare(given);
    if (!isObject(value) || sizeOfObject(value) > 0 !== (pattern.key !== undefined)) return false;
    put(frame, given);
    const [keys, values] = [keysOf(value), valuesOf(value)];
    names[0]?.(frame, keys[0] as KeyLike);
    names[1]?.(frame, values[0] as Value);
    names[2]?.(frame, objectFrom(keys.slice(1), values.slice(1)));
    return true;
  };
}
