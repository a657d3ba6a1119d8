/** What an API key may do. A browser session may do all that its user's role allows. */
export const scopes = ['tools:read', 'tools:call', 'calls:read', 'connections:write', 'admin:*'] as const;
export type Scope = (typeof scopes)[number];

/** What a member may do in a workspace. Keys, members and connections are for owners and admins. */
export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

export const administrators: readonly Role[] = ['owner', 'admin'];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}
