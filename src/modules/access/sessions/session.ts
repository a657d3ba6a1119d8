import type { Identity } from '../auth-context.js';

/** How long a login lasts, in milliseconds. */
export const sessionLifetimeMs = 12 * 3_600_000;

/** What a browser session knows of its person. Rights are not in it: they are looked up on every request. */
export interface SessionFacts {
  readonly userId: string;
  /** Where requests act that name no workspace. */
  readonly activeOrganizationId: string | null;
  readonly method: 'password' | 'oidc';
  /** RFC 3339. */
  readonly createdAt: string;
}

declare module 'express-session' {
  interface SessionData {
    helix: SessionFacts;
  }
}

export function identityOfSession({ userId, activeOrganizationId }: SessionFacts): Identity {
  return {
    type: 'user',
    id: userId,
    userId,
    boundTo: null,
    defaultOrganizationId: activeOrganizationId,
    scopes: null,
    operations: null,
    toolIds: null,
    projectIds: null,
  };
}
