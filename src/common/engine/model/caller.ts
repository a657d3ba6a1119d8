/**
 * On whose behalf an exchange runs. Built once at the edge that admitted it, and never from headers.
 */
export interface Caller {
  readonly kind: 'anonymous' | 'system' | 'user' | 'apiKey' | 'task' | 'gateway';
  /** Who: a user id, an API key's public id, a task credential's id; stable, never the secret. */
  readonly id: string;
  /** The workspace acted in; null for callers that stand in none. */
  readonly organizationId: string | null;
  readonly projectId: string | null;
  /** Network address of the peer after trusted proxies, where there is one. */
  readonly address: string | null;
}

export const systemCaller: Caller = Object.freeze({
  kind: 'system',
  id: 'system',
  organizationId: null,
  projectId: null,
  address: null,
});

export const anonymousCaller: Caller = Object.freeze({ ...systemCaller, kind: 'anonymous', id: 'anonymous' });
