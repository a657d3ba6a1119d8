import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { validationFailed } from '../../common/platform/http/json/json-text.js';
import { type AuthContext, mayAccessProject } from '../access/index.js';
import { ProjectsService } from '../organizations/index.js';
import { type CatalogueTool, type FundingSource, ToolsService } from '../tools/index.js';
import type { CallRequest, CostStatus } from './tool-call.js';

/** What a call needs beyond what was asked: decided once, and frozen on its row. */
export interface CallPlan {
  readonly provider: string;
  readonly redispatch: string;
  readonly fundingSource: FundingSource;
  readonly costStatus: CostStatus;
  readonly accountingService: string;
}

/** Judges whether a call can be made, in the order in which it is refused. Writes nothing. */
@Injectable()
export class CallPlanner {
  constructor(
    private readonly tools: ToolsService,
    private readonly projects: ProjectsService,
  ) {}

  /** @throws HelixError 404 for tool and project, 400 for the input, 402 for the budget */
  async plan(auth: AuthContext, request: CallRequest): Promise<CallPlan> {
    const tool = await this.tools.find(auth, request.toolId);
    if (request.projectId !== null) await this.checkProject(auth, request.projectId);
    this.#checkBody(tool, request);
    checkBudget(tool, request);
    return {
      provider: tool.provider,
      redispatch: tool.policy.redispatch,
      // Native tools are not metered: their price is told, and nothing is charged.
      fundingSource: 'none',
      costStatus: 'not_metered',
      accountingService: tool.pricing.accountingService,
    };
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

/** A price that is known to be above the caller's budget would only be found out after it was spent. */
function checkBudget({ pricing }: CatalogueTool, { maxCostMicros }: CallRequest): void {
  const { estimateMicros } = pricing;
  if (maxCostMicros === null || estimateMicros === null || estimateMicros <= maxCostMicros) return;
  throw new HelixError(
    'CALL.INSUFFICIENT_HEADROOM',
    `The tool costs about ${estimateMicros} USD micros, more than maxCostMicros allows.`,
  );
}
