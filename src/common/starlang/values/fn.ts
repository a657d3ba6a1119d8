import { Box } from './box.js';
import type { TypeValue } from './type-value.js';
import type { Value } from './value.js';

export interface FnParam {
  name: string;
  type?: TypeValue;
  optional: boolean;
}

/** A function of the script or library. `invoke` takes the arguments as they are and checks nothing. */
export class Fn extends Box {
  readonly typeName = 'Function';

  constructor(
    readonly name: string,
    readonly params: readonly FnParam[],
    readonly invoke: (...args: Value[]) => Value,
    readonly result?: TypeValue,
  ) {
    super();
  }
}
