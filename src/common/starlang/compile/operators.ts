import { Fault } from '../errors/fault.js';
import { machine } from '../runtime/machine.js';
import { dividedBy, minus, negative, plus, pushLeft, pushRight, times, truth } from '../runtime/operators.js';
import type { BinaryNode, UnaryNode } from '../syntax/ast.js';
import { compare } from '../values/compare.js';
import { equals, similar } from '../values/equality.js';
import { bare } from '../values/objects.js';
import type { Value } from '../values/value.js';
import { add, divide, multiply, subtract } from '../numbers/arithmetic.js';
import type { Compiler } from './compiler.js';
import { locate, type Exec, type Frame } from './exec.js';
import type { Scope } from './scope.js';

export function compileUnary(c: Compiler, node: UnaryNode, scope: Scope): Exec {
  const operand = c.expr(node.operand, scope);
  if (node.op === '-') {
    return (frame) => {
      try {
        return negative(operand(frame));
      } catch (error) {
        throw locate(error, node);
      }
    };
  }
  return (frame) => {
    const value = operand(frame);
    if (typeof value === 'boolean') return !value;
    try {
      return !truth(value, `"${node.op}"`);
    } catch (error) {
      throw locate(error, node);
    }
  };
}

export function compileBinary(c: Compiler, node: BinaryNode, scope: Scope): Exec {
  const left = c.expr(node.left, scope);
  const right = c.expr(node.right, scope);
  switch (node.op) {
    case 'and':
    case 'or':
      return logical(c, node, scope);
    case 'default':
      return (frame) => {
        const value = attempted(left, frame);
        return value === null || bare(value) === null ? right(frame) : value;
      };
    case '==':
      return (frame) => equals(left(frame), right(frame));
    case '!=':
      return (frame) => !equals(left(frame), right(frame));
    case '~=':
      return (frame) => similar(left(frame), right(frame));
    case '<':
      return ordered(node, left, right, (order) => order < 0);
    case '>':
      return ordered(node, left, right, (order) => order > 0);
    case '<=':
      return ordered(node, left, right, (order) => order <= 0);
    case '>=':
      return ordered(node, left, right, (order) => order >= 0);
    case '+':
      return arithmetic(node, left, right, add, plus);
    case '-':
      return arithmetic(node, left, right, subtract, minus);
    case '*':
      return arithmetic(node, left, right, multiply, times);
    case '/':
      return arithmetic(node, left, right, divide, dividedBy);
    case '<<':
      return located(node, left, right, pushRight);
    case '>>':
      return located(node, left, right, pushLeft);
  }
}

/** What cannot be computed counts as missing: "default" stands in for it, as in the peer language. */
function attempted(left: Exec, frame: Frame): Value {
  const { depth } = machine;
  try {
    return left(frame);
  } catch (error) {
    return missing(error, depth);
  }
}

/** Null for what could not be computed; any other error goes on. */
export function missing(error: unknown, depth: number): null {
  if (!(error instanceof Fault) || (error.kind !== 'coercion' && error.kind !== 'type')) throw error;
  machine.depth = depth;
  return null;
}

function logical(c: Compiler, node: BinaryNode, scope: Scope): Exec {
  const left = c.test(node.left, scope, `"${node.op}"`);
  const right = c.test(node.right, scope, `"${node.op}"`);
  return node.op === 'and' ? (frame) => left(frame) && right(frame) : (frame) => left(frame) || right(frame);
}

function ordered(node: BinaryNode, left: Exec, right: Exec, holds: (order: number) => boolean): Exec {
  return (frame) => {
    const [a, b] = [left(frame), right(frame)];
    if (typeof a === 'number' && typeof b === 'number') return holds(a - b);
    try {
      return holds(compare(a, b));
    } catch (error) {
      throw locate(error, node);
    }
  };
}

type Numbers = (a: number, b: number) => Value;
type Operator = (a: Value, b: Value) => Value;

function arithmetic(node: BinaryNode, left: Exec, right: Exec, fast: Numbers, slow: Operator): Exec {
  return (frame) => {
    const [a, b] = [left(frame), right(frame)];
    try {
      return typeof a === 'number' && typeof b === 'number' ? fast(a, b) : slow(a, b);
    } catch (error) {
      throw locate(error, node);
    }
  };
}

function located(node: BinaryNode, left: Exec, right: Exec, operator: Operator): Exec {
  return (frame) => {
    const [a, b] = [left(frame), right(frame)];
    try {
      return operator(a, b);
    } catch (error) {
      throw locate(error, node);
    }
  };
}
