import { Fault } from '../errors/fault.js';
import type { Node } from '../syntax/ast.js';
import type { Value } from '../values/value.js';

/** Slot 0 is the frame of the enclosing function, the others hold values. */
export type Frame = Value[];
/** A compiled expression. */
export type Exec = (frame: Frame) => Value;

export const parentOf = (frame: Frame) => frame[0] as unknown as Frame;

/** Gives a fault its place, unless an inner node has. */
export function locate(error: unknown, node: Node): unknown {
  if (error instanceof Fault && error.offset < 0) {
    error.offset = node.start;
    error.length = Math.max(1, node.end - node.start);
  }
  return error;
}

/** Marks a lazily computed slot: not yet, or being computed right now. */
export const UNSET = Symbol('unset') as unknown as Value;
export const BUSY = Symbol('busy') as unknown as Value;
