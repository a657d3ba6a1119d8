/**
 * Base of every value that is not plain JavaScript data. What is an object and no Box is a plain
 * object of the script: inputs are made so at the boundary.
 */
export abstract class Box {
  /** Name of the type in the language, as `typeOf` prints it. */
  abstract readonly typeName: string;
}
