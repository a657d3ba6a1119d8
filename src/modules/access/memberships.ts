import type { Standing } from './auth-context.js';

/** What access asks of whoever keeps workspaces and members. Asked on every request, never remembered. */
export abstract class Memberships {
  /** null: no such workspace, or the person is no member, or one of the two is suspended. Not told apart. */
  abstract standing(userId: string, organizationId: string): Promise<Standing | null>;
}
