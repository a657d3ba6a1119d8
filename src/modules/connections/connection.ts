import type { Secret } from '../../common/platform/logging/secret.js';

export type ConnectionStatus = 'not_configured' | 'saved' | 'verified' | 'rejected' | 'unreadable';

/** Contract: ToolConnection. Whether there is a credential, and never any part of it. */
export interface ToolConnection {
  /** `treg`, or `mcp:<name>` of a source of the workspace. */
  readonly provider: string;
  readonly configured: boolean;
  /** The organization at the upstream; `''` where the token carries it; null without a connection. */
  readonly organizationId: string | null;
  readonly status: ConnectionStatus;
  readonly lastVerifiedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** Who saved it: a user's id, or an API key's. */
  readonly updatedBy: string | null;
}

export function noConnection(provider: string): ToolConnection {
  return {
    provider,
    configured: false,
    organizationId: null,
    status: 'not_configured',
    lastVerifiedAt: null,
    lastUsedAt: null,
    createdAt: null,
    updatedAt: null,
    updatedBy: null,
  };
}

/** A connection as it is kept: the token only in its envelope. */
export interface SealedConnection {
  readonly id: string;
  readonly organizationId: string;
  readonly provider: string;
  readonly upstreamOrganizationId: string;
  readonly sealedToken: string;
  readonly updatedBy: string;
}

/** A connection opened for use. */
export interface UsableConnection {
  /** For what is learned of it: {@link ConnectionsService.note}. */
  readonly id: string;
  readonly token: Secret;
  /** The organization at the upstream; `''` where the token carries it. */
  readonly upstreamOrganizationId: string;
}

/** What the envelope binds a token to: moved to another row, it does not open. */
export function placeOf(connection: Omit<SealedConnection, 'sealedToken' | 'updatedBy'>): readonly string[] {
  const { organizationId, id, provider, upstreamOrganizationId } = connection;
  return ['helix.tool_connection.v1', organizationId, id, provider, upstreamOrganizationId];
}
