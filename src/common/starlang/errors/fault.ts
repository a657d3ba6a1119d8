import type { ProblemKind } from './problem.js';

/**
 * Raised inside an evaluation, before the place is known: the innermost node that evaluates gives it
 * its offset, and the script turns it into a StarlangError. It is what `try` hands to a script.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  /** Offset of the failing node in the source, once known. */
  offset = -1;
  length = 1;
  hint: string | undefined;
  /** Calls from the innermost outwards: function name and offset of the call. */
  readonly trace: { name: string; offset: number }[] = [];

  constructor(
    readonly kind: ProblemKind,
    message: string,
    hint?: string,
  ) {
    super(message);
    this.hint = hint;
  }
}

export const typeFault = (message: string, hint?: string) => new Fault('type', message, hint);
export const coercionFault = (message: string, hint?: string) => new Fault('coercion', message, hint);
export const formatFault = (message: string, hint?: string) => new Fault('format', message, hint);
export const budgetFault = (message: string, hint?: string) => new Fault('budget', message, hint);
