import type { Scope } from '../scope.js';
import type { CredentialKind } from './api-key-format.js';

/** An API key as it is kept; never with its secret. */
export interface ApiKey {
  /** The public part of the key. */
  readonly id: string;
  readonly kind: CredentialKind;
  readonly organizationId: string;
  /** Whose membership the key stands on. */
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Projects the key is limited to; null: all. */
  readonly projectIds: readonly string[] | null;
  /** Operations a task credential may use; null: all. */
  readonly operations: readonly string[] | null;
  /** Tools a task credential may see and call; null: all. */
  readonly toolIds: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  /** Until when the secret before the last rotation is good. */
  readonly previousUntil: Date | null;
  /** Goes up with each rotation and with the revocation. */
  readonly revision: number;
}

export interface NewApiKey {
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly projectIds: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** Makes it a credential for one task, which sees these operations and tools alone. */
  readonly task?: { readonly operations: readonly string[]; readonly toolIds: readonly string[] | null };
}

/** A key with its secret: shown once, when it is made or rotated. */
export interface MintedApiKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/** Not revoked, not expired. */
export function isLive(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > now);
}

/** `last_used_at` is for people to look at: written at most once a minute. */
export function isUseWorthNoting(lastUsedAt: Date | null, now: number): boolean {
  return lastUsedAt === null || now - lastUsedAt.getTime() >= 60_000;
}
