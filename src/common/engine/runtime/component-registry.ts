import type { Component } from '../api/component.js';
import { closest } from '../api/options.js';
import { HelixError } from '../errors/helix-error.js';

/** The components by scheme. Two of one scheme are a fault of the program, found when the engine is made. */
export class ComponentRegistry {
  readonly #byScheme = new Map<string, Component>();

  constructor(components: readonly Component[]) {
    for (const component of components) {
      if (this.#byScheme.has(component.scheme)) {
        throw new HelixError('ENGINE.INTERNAL', `Two components claim the scheme "${component.scheme}".`);
      }
      this.#byScheme.set(component.scheme, component);
    }
  }

  /** @throws HelixError `WORKSPACE.UNKNOWN_COMPONENT` */
  get(scheme: string): Component {
    const component = this.#byScheme.get(scheme);
    if (component) return component;
    const suggestion = closest(scheme, [...this.#byScheme.keys()]);
    throw new HelixError(
      'WORKSPACE.UNKNOWN_COMPONENT',
      `There is no component "${scheme}://"${suggestion ? `; did you mean "${suggestion}://"?` : ': `helix components` lists those there are.'}`,
      { details: { scheme, suggestion } },
    );
  }

  all(): readonly Component[] {
    return [...this.#byScheme.values()];
  }
}
