import { Box } from './box.js';
import type { TypeValue } from './type-value.js';
import type { Value } from './value.js';

export interface FnParam {
  name: string;
  type?: TypeValue;
  optional: boolean;
}

/** What calling a function runs. */
export interface Invoke {
  (...args: Value[]): Value;
  /** Start value of a fold: the default of the second parameter. */
  start?: () => Value;
  /** It gives one value whatever the arguments. */
  constant?: true;
}

/** A function of the script or library. `invoke` takes the arguments as they are and checks nothing. */
export class Fn extends Box {
  readonly typeName = 'Function';
  private fewest = -1;

  constructor(
    readonly name: string,
    readonly params: readonly FnParam[],
    readonly invoke: Invoke,
    readonly result?: TypeValue,
  ) {
    super();
  }

  /** How many arguments it needs. */
  get required(): number {
    if (this.fewest < 0)
      this.fewest = this.params.reduce((count, { optional }) => (optional ? count : count + 1), 0);
    return this.fewest;
  }
}

/** A value given where a function is expected. */
export function constantFn(value: Value): Fn {
  return new Fn('constant', [], constantInvoke(value));
}

export function constantInvoke(value: Value): Invoke {
  const invoke: Invoke = () => value;
  invoke.constant = true;
  return invoke;
}
