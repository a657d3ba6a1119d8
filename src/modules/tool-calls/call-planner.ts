import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { validationFailed } from '../../common/platform/http/json/json-text.js';
import { type AuthContext, mayAccessProject } from '../access/index.js';
import { ProjectsService } from '../organizations/index.js';
import { type CatalogueTool, PayerChoice, ToolsService } from '../tools/index.js';
import type { NewCall } from './call-journal.js';
import type { CallRequest } from './tool-call.js';

/** What a call needs beyond what was asked: decided once, and frozen on its row. */
export type CallPlan = Pick<
  NewCall,
  'provider' | 'redispatch' | 'fundingSource' | 'costStatus' | 'reservedMicros' | 'accountingService'
>;

/** Judges whether a call can be made, in the order in which it is refused. Writes nothing. */
@Injectable()
export class CallPlanner {
  constructor(
    private readonly tools: ToolsService,
    private readonly projects: ProjectsService,
    private readonly payers: PayerChoice,
    private readonly config: HelixConfig,
  ) {}

  /** @throws HelixError 404 for tool and project, 400 for the input, 409 for the connection, 402 for the budget */
  async plan(auth: AuthContext, request: CallRequest): Promise<CallPlan> {
    const tool = await this.tools.find(auth, request.toolId);
    if (request.projectId !== null) await this.checkProject(auth, request.projectId);
    this.#checkBody(tool, request);
    const source = await this.payers.choose(auth.organizationId, tool, request.funding);
    checkBudget(tool, request);
    return {
      provider: tool.provider,
      redispatch: this.tools.redispatchOf(tool, source),
      fundingSource: source,
      costStatus: costStatusOf[source],
      reservedMicros: source === 'hlix' ? this.#reservation(tool, request) : null,
      accountingService: tool.pricing.accountingService,
    };
  }

  #reservation({ pricing }: CatalogueTool, { maxCostMicros }: CallRequest): number {
    return maxCostMicros ?? pricing.estimateMicros ?? this.config.reservationMicros;
  }

  /** @throws HelixError `ACCESS.NO_PROJECT_ACCESS`, `CALL.UNKNOWN_PROJECT` */
  async checkProject(auth: AuthContext, projectId: string): Promise<void> {
    if (!mayAccessProject(auth, projectId))
      throw new HelixError('ACCESS.NO_PROJECT_ACCESS', 'These credentials have no access to the project.');
    if (!(await this.projects.exists(auth.organizationId, projectId)))
      throw new HelixError('CALL.UNKNOWN_PROJECT', 'No such project in this workspace.');
  }

  #checkBody(tool: CatalogueTool, { input, projectId }: CallRequest): void {
    if (tool.policy.requiresProject && projectId === null)
      throw validationFailed([
        { path: '/projectId', code: 'required', message: 'This tool must be called for a project.' },
      ]);
    const problems = this.tools.inputProblems(tool, input);
    if (problems.length > 0) throw validationFailed(problems);
  }
}

/** What a connection pays is told to us by its upstream, and nothing is reserved for it. */
const costStatusOf = { hlix: 'reserved', organization: 'pending', none: 'not_metered' } as const;

/** A price that is known to be above the caller's budget would only be found out after it was spent. */
function checkBudget({ pricing }: CatalogueTool, { maxCostMicros }: CallRequest): void {
  const { estimateMicros } = pricing;
  if (maxCostMicros === null || estimateMicros === null || estimateMicros <= maxCostMicros) return;
  throw new HelixError(
    'CALL.INSUFFICIENT_HEADROOM',
    `The tool costs about ${estimateMicros} USD micros, more than maxCostMicros allows.`,
  );
}
