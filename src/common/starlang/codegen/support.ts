import { callValue, concatenated } from '../compile/calls.js';
import { ofType, overloaded } from '../compile/directives.js';
import { BUSY, locate, UNSET } from '../compile/exec.js';
import { called } from '../compile/lambdas.js';
import { groupsOf, noMatch } from '../compile/match.js';
import { computeSlot } from '../compile/names.js';
import { keyFrom, spread } from '../compile/objects.js';
import { missing } from '../compile/operators.js';
import { Fault } from '../errors/fault.js';
import { passes } from '../library/arguments.js';
import { groupName, pushAll } from '../library/core/collections.js';
import { sortedIndexes, sortKey } from '../library/core/ordering.js';
import { addMapped } from '../library/core/objects.js';
import type { LibraryFunction } from '../library/define.js';
import { add, multiply, subtract } from '../numbers/arithmetic.js';
import { callLibrary } from '../runtime/dispatch.js';
import { cells, deeper, enter, join, leave, machine, same, walk, type Machine } from '../runtime/machine.js';
import * as operators from '../runtime/operators.js';
import { selectIndex, selectName } from '../runtime/select.js';
import type { Node } from '../syntax/ast.js';
import { accepts } from '../values/accepts.js';
import { compare } from '../values/compare.js';
import { equals, identityOf, similar } from '../values/equality.js';
import { Fn } from '../values/fn.js';
import { bare, isObject, keysOf, ObjectBuilder, stored, valuesOf, type KeyLike } from '../values/objects.js';
import { Range } from '../values/range.js';
import { requireText } from '../values/text.js';
import type { Value } from '../values/value.js';

type Operator = (a: Value, b: Value) => Value;

const located =
  (operator: Operator) =>
  (a: Value, b: Value, node: Node): Value => {
    try {
      return operator(a, b);
    } catch (error) {
      throw locate(error, node);
    }
  };

/** Arrays of one name each, for groupBy. */
class Groups {
  private readonly groups = new Map<string, Value[]>();

  add(name: string, item: Value): void {
    walk(name);
    const found = this.groups.get(name);
    if (found) found.push(item);
    else this.groups.set(name, [item]);
  }

  done(): Value {
    const builder = new ObjectBuilder();
    for (const [name, items] of this.groups) {
      cells(items.length);
      builder.add(name, items);
    }
    return builder.done();
  }
}

/** The first item of each criterion. */
class Distinct {
  readonly items: Value[] = [];
  private readonly seen = new Set<string>();

  add(criterion: Value, item: Value): void {
    const id = identityOf(criterion);
    if (this.seen.has(id)) return;
    this.seen.add(id);
    this.items.push(item);
  }
}

/**
 * All that generated code may use: it has no other way out. The slow paths are the functions of the
 * closure back end, so that both give the same values and faults.
 */
export const SUPPORT = {
  /** A parameter nobody gives. */
  NONE: undefined,
  UNSET,
  BUSY,
  Fn,
  Groups,
  Distinct,
  ObjectBuilder,
  accepts,
  addMapped,
  attempted: missing,
  callLibrary,
  callValue,
  called,
  cells,
  deeper,
  enter,
  equals,
  groupName,
  groupsOf,
  lazy: computeSlot,
  leave,
  noMatch,
  ofType,
  overloaded,
  passes,
  pushAll,
  similar,
  sortKey,
  spread,
  stored,
  keyOf: keyFrom,
  machine: (): Machine => machine,
  addNumbers: (a: number, b: number): Value => ((a | 0) === a && (b | 0) === b ? a + b : add(a, b)),
  subtractNumbers: (a: number, b: number): Value => ((a | 0) === a && (b | 0) === b ? a - b : subtract(a, b)),
  multiplyNumbers: multiply,
  plus: located(operators.plus),
  minus: located(operators.minus),
  times: located(operators.times),
  dividedBy: located(operators.dividedBy),
  pushRight: located(operators.pushRight),
  pushLeft: located(operators.pushLeft),
  negative: (value: Value, node: Node): Value => {
    try {
      return operators.negative(value);
    } catch (error) {
      throw locate(error, node);
    }
  },
  compare: (a: Value, b: Value, node: Node): number => {
    try {
      return compare(a, b);
    } catch (error) {
      throw locate(error, node);
    }
  },
  truth: (value: Value, where: string, node: Node): boolean => {
    try {
      return operators.truth(value, where);
    } catch (error) {
      throw locate(error, node);
    }
  },
  textOf: (value: Value, node: Node): string => {
    if (value === null) return 'null';
    try {
      return requireText(value);
    } catch (error) {
      throw locate(error, node);
    }
  },
  member: (value: Value, name: string, node: Node): Value => {
    if (value === null) return null;
    try {
      return selectName(value, name) ?? null;
    } catch (error) {
      throw locate(error, node);
    }
  },
  itemAt: (value: Value, index: Value, node: Node): Value => {
    if (typeof index === 'number' && Array.isArray(value))
      return value[index < 0 ? value.length + index : index] ?? null;
    try {
      return selectIndex(value, index) ?? null;
    } catch (error) {
      throw locate(error, node);
    }
  },
  concatenated: (fn: LibraryFunction, a: Value, b: Value, node: Node): Value => {
    try {
      return concatenated(fn, a, b);
    } catch (error) {
      throw locate(error, node);
    }
  },
  join,
  longest: (...texts: string[]): number => {
    let length = 0;
    for (const text of texts) if (text.length > length) length = text.length;
    return length;
  },
  joined: (a: string, b: string, node: Node): string => {
    try {
      join(a.length + b.length, Math.max(a.length, b.length));
      return a + b;
    } catch (error) {
      throw locate(error, node);
    }
  },
  same,
  isNull: (value: Value): boolean => bare(value) === null,
  itemsOf: (given: Value): readonly Value[] | undefined => {
    const value = bare(given);
    if (value instanceof Range) return value.items();
    return Array.isArray(value) ? value : undefined;
  },
  pairKeys: (given: Value): readonly KeyLike[] | undefined => {
    const value = bare(given);
    return isObject(value) ? keysOf(value) : undefined;
  },
  pairValues: (given: Value): readonly Value[] | undefined => {
    const value = bare(given);
    return isObject(value) ? valuesOf(value) : undefined;
  },
  sortedBy: (items: readonly Value[], keys: readonly Value[]): Value[] =>
    sortedIndexes(keys).map((i) => items[i] as Value),
  /** A fault inside a call of the library. */
  libraryFault: (error: unknown, run: Machine, depth: number, node: Node, name: string): unknown => {
    run.depth = depth;
    locate(error, node);
    if (error instanceof Fault) error.trace.push({ name, offset: node.start });
    return error;
  },
  /** A fault inside a call of a function of the script. */
  calledFault: (error: unknown, node: Node, name: string): unknown => {
    locate(error, node);
    if (error instanceof Fault) error.trace.push({ name, offset: node.start });
    return error;
  },
} as const;
