import { Injectable } from '@nestjs/common';
import { HelixError, type FieldProblem } from '../../../common/engine/errors/helix-error.js';
import { Transactions } from '../../../common/platform/database/transactions.js';
import { validationFailed } from '../../../common/platform/http/json/json-text.js';
import { actorOf } from '../actor.js';
import type { AuthContext } from '../auth-context.js';
import { ApiKeysService } from '../keys/api-keys.service.js';
import type { ApiKey } from '../keys/api-key.js';
import { Memberships } from '../memberships.js';
import { OperationCatalogue } from '../operation-catalogue.js';
import type { OperationRule } from '../operation-rule.js';
import { SpendLimits } from '../spend-limits.js';
import { longestTaskMs, type NewTaskCredential, type TaskCredential } from './task-credential.js';

/** Credentials that an agent gets for one task: a few operations, one project, a budget, an end. */
@Injectable()
export class TaskCredentialsService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly operations: OperationCatalogue,
    private readonly limits: SpendLimits,
    private readonly memberships: Memberships,
    private readonly tx: Transactions,
  ) {}

  async list(organizationId: string): Promise<TaskCredential[]> {
    const keys = await this.keys.list(organizationId, 'task');
    return Promise.all(keys.map((key) => this.#withLimit(key)));
  }

  /**
   * Its secret is in the answer and nowhere else. An API key makes none that may do more than itself.
   * @throws HelixError `HTTP.VALIDATION_FAILED`, `ACCESS.INSUFFICIENT_SCOPE`
   */
  create(auth: AuthContext, draft: NewTaskCredential): Promise<TaskCredential & { readonly secret: string }> {
    const rules = this.#rulesOf(draft.operations);
    checkEnd(draft.expiresAt);
    const scopes = [...new Set(rules.flatMap(({ scope }) => scope ?? []))];
    const missing = scopes.find((scope) => auth.identity.scopes?.has(scope) === false);
    if (missing !== undefined)
      throw new HelixError(
        'ACCESS.INSUFFICIENT_SCOPE',
        `A key without the scope ${missing} cannot make a credential that uses it.`,
      );
    const { operations, toolIds, maxSpendMicros, projectId, name, expiresAt } = draft;
    const task = { operations, toolIds };
    const { organizationId, identity } = auth;
    const key = {
      organizationId,
      userId: identity.userId,
      name,
      scopes,
      projectIds: [projectId],
      expiresAt,
      task,
    };
    return this.tx.run(async () => {
      await this.#checkProject(organizationId, projectId);
      const minted = await this.keys.create(key, actorOf(auth));
      await this.limits.set(organizationId, minted.key.id, maxSpendMicros);
      return { ...(await this.#withLimit(minted.key)), secret: minted.secret };
    });
  }

  /** Stops it for good, its next request included. @throws HelixError `ACCESS.UNKNOWN_API_KEY`, `ACCESS.STALE_REVISION` */
  async revoke(auth: AuthContext, id: string, revision: number | null): Promise<TaskCredential> {
    return this.#withLimit(await this.keys.revoke(auth.organizationId, id, revision, actorOf(auth), 'task'));
  }

  async #checkProject(organizationId: string, projectId: string): Promise<void> {
    const unknown = await this.memberships.unknownProjects(organizationId, [projectId]);
    if (unknown.length > 0)
      throw validationFailed([
        { path: '/projectId', code: 'unknown_project', message: 'The workspace has no such project.' },
      ]);
  }

  async #withLimit(key: ApiKey): Promise<TaskCredential> {
    return { key, limit: await this.limits.find(key.organizationId, key.id) };
  }

  #rulesOf(ids: readonly string[]): OperationRule[] {
    const rules = ids.map((id) => this.operations.find(id));
    const problems = rules.flatMap((rule, index) => problemOf(rule, `/operations/${index}`) ?? []);
    if (problems.length > 0) throw validationFailed(problems);
    return rules.filter((rule) => rule !== undefined);
  }
}

function problemOf(rule: OperationRule | undefined, path: string): FieldProblem | null {
  if (rule === undefined)
    return {
      path,
      code: 'unknown_operation',
      message: 'There is no operation with this id in the OpenAPI document.',
    };
  const isForCollaborators = rule.needs === 'identity' || rule.roles?.includes('collaborator') === true;
  if (isForCollaborators && rule.session === undefined) return null;
  return { path, code: 'not_allowed', message: 'This operation is not for the work in one project.' };
}

function checkEnd(expiresAt: Date): void {
  const span = expiresAt.getTime() - Date.now();
  if (span > 0 && span <= longestTaskMs) return;
  throw validationFailed([
    {
      path: '/expiresAt',
      code: 'out_of_range',
      message: 'expiresAt must lie ahead, by 30 days at the most.',
    },
  ]);
}
