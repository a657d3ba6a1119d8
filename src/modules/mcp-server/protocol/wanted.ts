import type { SourceChange } from '../../../components/mcp-server/tool-source.js';
import type { Params } from './json-rpc.js';

/** What a stream of `subscriptions/listen` is told of (MCP 2026-07-28, "Subscriptions"). */
export interface Wanted {
  readonly lists: ReadonlySet<'tools' | 'prompts' | 'resources'>;
  /** URIs of resources. */
  readonly updates: ReadonlySet<string>;
  /** Ids of tasks. */
  readonly tasks: ReadonlySet<string>;
}

/** More than any client watches on one stream. */
const mostWatched = 1_000;

export function readWanted(notifications: Params): Wanted {
  const lists = (['tools', 'prompts', 'resources'] as const).filter(
    (kind) => notifications[`${kind}ListChanged`] === true,
  );
  return {
    lists: new Set(lists),
    updates: textsOf(notifications['resourceSubscriptions']),
    tasks: textsOf(notifications['taskIds']),
  };
}

/** What the stream will carry, as the acknowledgement says it. */
export function grantedOf({ lists, updates, tasks }: Wanted): object {
  return {
    ...Object.fromEntries([...lists].map((kind) => [`${kind}ListChanged`, true])),
    ...(updates.size > 0 ? { resourceSubscriptions: [...updates] } : {}),
    ...(tasks.size > 0 ? { taskIds: [...tasks] } : {}),
  };
}

export function wantsChange({ lists, updates }: Wanted, change: SourceChange): boolean {
  return change.kind === 'updated' ? updates.has(change.uri) : lists.has(change.kind);
}

/** A change as a notification: its method and its params. */
export function notificationOf(change: SourceChange): readonly [string, object] {
  if (change.kind === 'updated') return ['notifications/resources/updated', { uri: change.uri }];
  return [`notifications/${change.kind}/list_changed`, {}];
}

function textsOf(value: unknown): ReadonlySet<string> {
  if (!Array.isArray(value)) return new Set();
  return new Set(value.slice(0, mostWatched).filter((each): each is string => typeof each === 'string'));
}
