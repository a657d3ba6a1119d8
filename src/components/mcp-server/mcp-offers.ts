import type { Route } from '../../common/engine/api/component.js';
import type { UriTemplate } from './uri-template.js';

export interface PromptTrigger {
  readonly kind: 'prompt';
  readonly name: string;
  readonly title: string | null;
  readonly route: Route;
}

export interface ResourceTrigger {
  readonly kind: 'resource';
  readonly name: string;
  readonly title: string | null;
  readonly mimeType: string | null;
  readonly route: Route;
  /** The URI clients read, or a template of it. */
  readonly at: string | UriTemplate;
}

/** The workflows that are prompts and resources, for every MCP server of the engine. */
export class McpOffers {
  readonly #triggers = new Set<PromptTrigger | ResourceTrigger>();
  readonly #listeners = new Set<(uri: string) => void>();

  add(trigger: PromptTrigger | ResourceTrigger): void {
    this.#triggers.add(trigger);
  }

  remove(trigger: PromptTrigger | ResourceTrigger): void {
    this.#triggers.delete(trigger);
  }

  /** Those that take what comes now. */
  prompts(): readonly PromptTrigger[] {
    return [...this.#triggers].filter(
      (each): each is PromptTrigger => each.kind === 'prompt' && each.route.serves(null),
    );
  }

  resources(): readonly ResourceTrigger[] {
    return [...this.#triggers].filter(
      (each): each is ResourceTrigger => each.kind === 'resource' && each.route.serves(null),
    );
  }

  /** Tells whoever watches the resource that it says something else now. */
  updated(uri: string): void {
    for (const listener of this.#listeners) listener(uri);
  }

  onUpdate(listener: (uri: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
