import type { Place } from '../../common/engine/model/source-node.js';

/** An expectation that did not come true. */
export interface Miss {
  /** Where the expectation is written. */
  readonly place: Place;
  readonly message: string;
  /** `- ` expected, `+ ` found. */
  readonly difference: readonly string[];
}

export function miss(place: Place, message: string, difference: readonly string[] = []): Miss {
  return { place, message, difference };
}
