import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../common/platform/crypto/canonical-json.js';
import type { CatalogueTool } from '../../tool-descriptor.js';

/** Names that a server may use up before old ones are forgotten. */
const mostPins = 20_000;

/**
 * What each tool of a server was when it was first seen: a server may show a harmless tool until it is trusted, and
 * change it then.
 */
export class ToolPins {
  readonly #first = new Map<string, string>();

  /** Whether the tool is another one than it was; the first sight of a tool is taken as it is. */
  hasChanged({ id, name, description, inputSchema, outputSchema, policy }: CatalogueTool): boolean {
    const now = createHash('sha256')
      .update(canonicalJson({ name, description, inputSchema, outputSchema, policy }))
      .digest('base64');
    const first = this.#first.get(id);
    if (first !== undefined) return first !== now;
    if (this.#first.size < mostPins) this.#first.set(id, now);
    return false;
  }
}
