import type { Box } from './box.js';

/** Anything a script can hold. */
export type Value = null | boolean | number | string | Value[] | PlainObject | Box;
/** An object without duplicate, integer-like or attributed keys. Never read without an own-property check
 * unless the key is known not to be on `Object.prototype`. */
export interface PlainObject {
  [key: string]: Value;
}
