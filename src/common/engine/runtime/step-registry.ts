import { closest } from '../api/options.js';
import type { StepType } from '../api/step-type.js';
import { HelixError } from '../errors/helix-error.js';

/** The step types by keyword and alias. Two that claim one word are a fault of the program. */
export class StepRegistry {
  readonly #byKeyword = new Map<string, StepType>();

  constructor(readonly types: readonly StepType[]) {
    for (const type of types) {
      for (const keyword of [type.keyword, ...type.aliases]) {
        if (this.#byKeyword.has(keyword)) {
          throw new HelixError('ENGINE.INTERNAL', `Two step types claim the keyword "${keyword}".`);
        }
        this.#byKeyword.set(keyword, type);
      }
    }
  }

  find(keyword: string): StepType | undefined {
    return this.#byKeyword.get(keyword);
  }

  suggest(keyword: string): string | undefined {
    return closest(keyword, [...this.#byKeyword.keys()]);
  }
}
