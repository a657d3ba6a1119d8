import { charge } from '../runtime/machine.js';

/** What a value takes beside what it holds. */
const SIZE = 48;

/**
 * Base of every value that is not plain JavaScript data. What is an object and no Box is a plain
 * object of the script: inputs are made so at the boundary.
 */
export abstract class Box {
  /** Name of the type in the language, as `typeOf` prints it. */
  abstract readonly typeName: string;

  constructor() {
    charge(SIZE);
  }
}
