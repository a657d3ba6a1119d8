import { Injectable } from '@nestjs/common';
import { neighbourhood, type WorkspaceGraph, workspaceGraph } from '../../common/dsl/index.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { ReloadReport, WorkflowStatus } from '../../common/engine/runtime/engine-options.js';
import { Transactions } from '../../common/platform/database/transactions.js';
import { actorOf, type AuditAction, AuditTrail, type AuthContext } from '../access/index.js';
import { OrganizationsService } from '../organizations/index.js';
import { WorkflowEngine, WorkspaceReload } from '../workflow-engine/index.js';

/** What may be done with one workflow. */
export type WorkflowAction = 'start' | 'stop' | 'restart';

/**
 * Workflows are the deployment's, not a tenant's: one process runs them for all workspaces. So they are seen and steered
 * from the workspace that operates the deployment, the one that was made first.
 */
@Injectable()
export class WorkflowsService {
  constructor(
    private readonly engine: WorkflowEngine,
    private readonly workspace: WorkspaceReload,
    private readonly organizations: OrganizationsService,
    private readonly audit: AuditTrail,
    private readonly tx: Transactions,
  ) {}

  /** @throws HelixError `ACCESS.INSUFFICIENT_ROLE` from a workspace that does not operate the deployment */
  async list(auth: AuthContext): Promise<{ version: number; workflows: readonly WorkflowStatus[] }> {
    await this.#refuseTenants(auth);
    return { version: this.engine.version, workflows: this.engine.statuses() };
  }

  /** @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`, `ACCESS.INSUFFICIENT_ROLE` */
  async read(auth: AuthContext, id: string) {
    await this.#refuseTenants(auth);
    return { status: this.engine.status(id), exchanges: this.engine.inFlight(id) };
  }

  /**
   * Who sends to whom in the version that counts now.
   * @param id only this workflow or tool, with its neighbours
   * @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`, `ACCESS.INSUFFICIENT_ROLE`
   */
  async graph(auth: AuthContext, id?: string): Promise<WorkspaceGraph> {
    await this.#refuseTenants(auth);
    const { workspace, vocabulary } = this.engine;
    const whole = workspace ? workspaceGraph(workspace, vocabulary.steps) : { nodes: [], edges: [] };
    const graph = id === undefined ? whole : neighbourhood(whole, id);
    if (graph) return graph;
    throw new HelixError('ENGINE.UNKNOWN_WORKFLOW', `There is no workflow or tool "${id}".`);
  }

  /** @throws HelixError `ENGINE.UNKNOWN_WORKFLOW`, `ENGINE.WORKFLOW_DISABLED`, `ENGINE.START_FAILED` */
  async act(auth: AuthContext, id: string, action: WorkflowAction): Promise<WorkflowStatus> {
    await this.#refuseTenants(auth);
    // Asked first: what does not exist leaves no entry.
    this.engine.status(id);
    await this.#record(auth, `workflow.${action}`, id);
    return this.engine.act(id, action);
  }

  /** @throws HelixError `WORKSPACE.RELOAD_REFUSED` with every problem */
  async reload(auth: AuthContext): Promise<ReloadReport> {
    await this.#refuseTenants(auth);
    await this.#record(auth, 'workflow.reload', 'all');
    return this.workspace.reload('API');
  }

  #record(auth: AuthContext, action: AuditAction, target: string): Promise<void> {
    const event = { action, organizationId: auth.organizationId, actor: actorOf(auth), target };
    return this.tx.run(() => this.audit.record(event));
  }

  async #refuseTenants({ organizationId }: AuthContext): Promise<void> {
    const [first] = await this.organizations.all();
    if (first?.id === organizationId) return;
    throw new HelixError(
      'ACCESS.INSUFFICIENT_ROLE',
      'Workflows are seen and steered from the workspace that was made first: it operates this deployment.',
    );
  }
}
