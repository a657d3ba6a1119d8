import type { Caller } from '../../common/engine/model/caller.js';
import type { ProjectAccess, Role, Scope } from './scope.js';

/** Who asks, as one credential proved it. Nothing in here is trusted for longer than one request. */
export interface Identity {
  readonly type: 'user' | 'apiKey' | 'task';
  /** Public id of the credential, or the user's id for a session. */
  readonly id: string;
  /** The person behind it: whose membership counts. */
  readonly userId: string;
  /** The only workspace the credential acts in; null for a session, which may name any. */
  readonly boundTo: string | null;
  /** The workspace acted in where the request names none. */
  readonly defaultOrganizationId: string | null;
  /** null: all that the role allows. */
  readonly scopes: ReadonlySet<Scope> | null;
  /** Operation ids a task-scoped credential may use; null: all. */
  readonly operations: ReadonlySet<string> | null;
  /** Tool ids a task-scoped credential may see and call; null: all. */
  readonly toolIds: ReadonlySet<string> | null;
  /** Projects the credential is limited to; null: all. */
  readonly projectIds: readonly string[] | null;
}

/** What the database says of a person in a workspace, read on every request. */
export interface Standing {
  readonly organizationId: string;
  readonly role: Role;
  /** Projects a collaborator was let into; null for members: all. */
  readonly projectIds: readonly string[] | null;
  /** Those of them in which the collaborator may call tools; null for members: all. */
  readonly writableProjectIds: readonly string[] | null;
}

/** On whose behalf one request runs, and where. Built once by the guards; everything after them reads this. */
export interface AuthContext {
  readonly identity: Identity;
  readonly organizationId: string;
  readonly role: Role;
  /** Projects the request may see; null: every project, and calls without one. */
  readonly projectIds: readonly string[] | null;
  /** Projects the request may call tools in; null: every project, and without one. */
  readonly writableProjectIds: readonly string[] | null;
  /** Client address after trusted proxies. */
  readonly address: string | null;
}

export function contextOf(identity: Identity, standing: Standing, address: string | null): AuthContext {
  return {
    identity,
    organizationId: standing.organizationId,
    // Whoever is limited to projects acts as a collaborator there, whatever the person behind may do.
    role: identity.projectIds === null ? standing.role : 'collaborator',
    projectIds: intersect(identity.projectIds, standing.projectIds),
    writableProjectIds: intersect(identity.projectIds, standing.writableProjectIds),
    address,
  };
}

/** Whether the context may read calls of this project, or make them; null is "no project". */
export function mayAccessProject(
  context: AuthContext,
  projectId: string | null,
  access: ProjectAccess = 'read',
): boolean {
  const reached = access === 'write' ? context.writableProjectIds : context.projectIds;
  return reached === null || (projectId !== null && reached.includes(projectId));
}

export function maySeeTool(context: AuthContext, toolId: string): boolean {
  return context.identity.toolIds === null || context.identity.toolIds.has(toolId);
}

export function callerOf(context: AuthContext, projectId: string | null): Caller {
  return {
    kind: context.identity.type,
    id: context.identity.id,
    organizationId: context.organizationId,
    projectId,
    address: context.address,
  };
}

function intersect(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null) return other;
  return other === null ? one : one.filter((id) => other.includes(id));
}
