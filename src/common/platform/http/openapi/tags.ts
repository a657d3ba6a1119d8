import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations-of.js';

/** In the order in which a reader needs them. */
export const tags = [
  { name: 'Tools', description: 'Shared tool discovery, durable invocation and usage receipts.' },
  { name: 'Organizations', description: 'Workspaces: which there are, and which one a session acts in.' },
  { name: 'Members', description: 'Who belongs to a workspace, and how they come in.' },
  { name: 'Projects', description: 'Parts of a workspace, and who from outside is let into them.' },
  { name: 'Access', description: 'API keys, and credentials for one task.' },
  { name: 'Sessions', description: 'Browser sessions of people.' },
  { name: 'Wallet', description: 'Money of a workspace, which pays for tools funded by `hlix`.' },
  { name: 'Dead letters', description: 'What workflows could not do.' },
  { name: 'Audit', description: 'Who changed what.' },
] as const;

/** Paths in the order of their tags: readers and generators begin with what the API is for. */
export function inOrderOfTags(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const names = tags.map(({ name }) => name as string);
  const rank = (item: OpenAPIObject['paths'][string]) => {
    const [first] = operationsOf({ paths: { item } });
    const place = names.indexOf(first?.tags?.[0] ?? '');
    return place < 0 ? names.length : place;
  };
  return Object.fromEntries(
    Object.entries(paths)
      .map(([path, item]) => ({ path, item, rank: rank(item) }))
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ path, item }) => [path, item]),
  );
}
