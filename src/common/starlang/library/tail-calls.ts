import type { Fn } from '../values/fn.js';
import { Box } from '../values/box.js';
import type { Value } from '../values/value.js';
import { fn } from './define.js';

/** What a function gives to be called again with these arguments. */
class AgainCall extends Box {
  readonly typeName = 'Again';

  constructor(readonly args: Value[]) {
    super();
  }
}

/** Names no script can spell: see compile/tail-recursion.ts, which writes calls of them. */
export const LOOP = '@loop';
export const AGAIN = '@again';

export const tailCalls = [
  fn(LOOP, 'Calls a function until it gives a value.', [], {
    '(body: Function, args: Array): Any': (body: Fn, args: Value[]): Value => {
      let out = body.invoke(...args);
      while (out instanceof AgainCall) out = body.invoke(...out.args);
      return out;
    },
  }),
  fn(AGAIN, 'Asks the loop around it for one more turn.', [], {
    '(args: Array): Any': (args: Value[]): Value => new AgainCall(args),
  }),
];
