import { Box } from './box.js';
import { bare, Leaf } from './objects.js';
import type { Value } from './value.js';

/** Name of the type of a value, as `typeOf` and messages print it. */
export function kindOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'String';
    case 'number':
      return 'Number';
    case 'boolean':
      return 'Boolean';
    default:
      if (value === null || value === undefined) return 'Null';
      if (Array.isArray(value)) return 'Array';
      if (value instanceof Leaf) return kindOf(bare(value));
      return value instanceof Box ? value.typeName : 'Object';
  }
}
