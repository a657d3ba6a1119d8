/** What an API key may do. A browser session may do all that its user's role allows. */
export const scopes = ['tools:read', 'tools:call', 'calls:read', 'connections:write', 'admin:*'] as const;
export type Scope = (typeof scopes)[number];

/** What a member may do in a workspace. Keys, members and connections are for owners and admins. */
export const memberRoles = ['owner', 'admin', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Beside the members: a collaborator is let into single projects and sees nothing else of the workspace. */
export const roles = [...memberRoles, 'collaborator'] as const;
export type Role = (typeof roles)[number];

export const administrators: readonly MemberRole[] = ['owner', 'admin'];

/** How far a collaborator is let into a project: see its tools and calls, or call tools as well. */
export const projectAccesses = ['read', 'write'] as const;
export type ProjectAccess = (typeof projectAccesses)[number];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

export function isMemberRole(text: string): text is MemberRole {
  return (memberRoles as readonly string[]).includes(text);
}
