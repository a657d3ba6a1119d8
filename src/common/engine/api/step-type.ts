import type { StepNode } from '../model/workflow-definition.js';
import type { Shape } from './fields/field.js';
import type { Processor } from './processor.js';
import type { RouteBuilder } from './route-builder.js';

/**
 * A step keyword. `compile` is called once per step when the workspace is checked and again when it is started; it
 * reports what is wrong through `build.problem` and has no effect on the outside.
 */
export abstract class StepType {
  /** The YAML word, e.g. `set-body`. */
  abstract readonly keyword: string;
  /** Other spellings of the keyword, e.g. `to` for `target`. */
  readonly aliases: readonly string[] = [];
  /** One sentence for the catalogue and the editor. */
  abstract readonly description: string;
  /**
   * What stands under the keyword: parsing, refusal of the unknown, JSON Schema (`shapeSchema`) and docs come from this
   * table of `fields/`.
   */
  abstract readonly shape: Shape;

  abstract compile(node: StepNode, build: RouteBuilder): Processor;
}
