import type { Standing } from './auth-context.js';

/** What access asks of whoever keeps workspaces, members and projects. Asked on every request, never remembered. */
export abstract class Memberships {
  /**
   * null: no such workspace, or the person is neither a member nor let into one of its projects, or one of the two is
   * suspended. Not told apart.
   */
  abstract standing(userId: string, organizationId: string): Promise<Standing | null>;

  /** The workspace a person's session begins in: the one they have belonged to for longest; null: none. */
  abstract homeOf(userId: string): Promise<string | null>;

  /** Ids of the workspaces a person may act in, those of single projects included. */
  abstract workspacesOf(userId: string): Promise<string[]>;

  /** Those of the ids that are no projects of the workspace. */
  abstract unknownProjects(organizationId: string, ids: readonly string[]): Promise<string[]>;
}
