import type { CatalogueTool } from '../tool-descriptor.js';

/** What a qualifier reads of a tool, and the values that it knows. */
const known = {
  effects: { values: ['read', 'write', 'unknown'], of: (tool: CatalogueTool) => tool.policy.sideEffects },
  price: {
    values: ['free', 'per_call', 'per_result', 'per_success', 'unknown'],
    of: (tool: CatalogueTool) => tool.pricing.model,
  },
  origin: { values: ['native', 'upstream'], of: (tool: CatalogueTool) => tool.origin },
  status: { values: ['available', 'blocked', 'retired'], of: (tool: CatalogueTool) => tool.status },
} as const;

export interface QualifiedText {
  /** What is left to look for. */
  readonly text: string;
  readonly accepts: (tool: CatalogueTool) => boolean;
}

/**
 * Takes qualifiers such as `effects:read` or `price:free` out of a search text: tools must fit them all. A word with a
 * colon that is none of them stays a word.
 */
export function parseQualifiers(text: string): QualifiedText {
  const tests: ((tool: CatalogueTool) => boolean)[] = [];
  const words = text.split(/\s+/).filter((word) => {
    const [key = '', value = ''] = word.toLowerCase().split(':', 2);
    if (!Object.hasOwn(known, key)) return true;
    const { values, of } = known[key as keyof typeof known];
    if (!(values as readonly string[]).includes(value)) return true;
    tests.push((tool) => of(tool) === value);
    return false;
  });
  return { text: words.join(' '), accepts: (tool) => tests.every((test) => test(tool)) };
}
