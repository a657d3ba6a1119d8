import { coercionFault } from '../errors/fault.js';
import { kindOf } from './kind.js';
import { preview, textOf } from './text.js';
import type { Value } from './value.js';

/** Options of `as T {…}`; texts as a script gives them. */
export interface CoerceOptions {
  format?: Value;
  locale?: Value;
  unit?: Value;
  mode?: Value;
  roundMode?: Value;
  encoding?: Value;
  [other: string]: Value | undefined;
}

export const NONE: CoerceOptions = Object.freeze({});

export function refuse(value: Value, to: string, why?: string): never {
  throw coercionFault(`Cannot coerce ${kindOf(value)} (${preview(value)}) to ${to}${why ? `: ${why}` : ''}`);
}

export const optionText = (value: Value | undefined) =>
  value === undefined || value === null ? undefined : textOf(value);
