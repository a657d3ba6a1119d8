import { inspect } from 'node:util';

const mask = '[secret]';

/**
 * A value that must not be seen: printing, joining, inspecting or serialising it gives `[secret]`.
 * `reveal()` is the one way to the text, so that every use of a secret can be found by that word.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}
