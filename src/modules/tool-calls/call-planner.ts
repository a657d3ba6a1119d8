import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { validationFailed } from '../../common/platform/http/json/json-text.js';
import { type AuthContext, mayAccessProject } from '../access/index.js';
import { ProjectsService } from '../organizations/index.js';
import { type CatalogueTool, type FundingSource, isUnpaid, ToolsService } from '../tools/index.js';
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

  /** @throws HelixError 404 for tool and project, 400 for the input, 409 for the funding */
  async plan(auth: AuthContext, request: CallRequest): Promise<CallPlan> {
    const tool = await this.tools.find(auth, request.toolId);
    if (request.projectId !== null) await this.checkProject(auth, request.projectId);
    this.#checkBody(tool, request);
    return {
      provider: tool.provider,
      redispatch: tool.policy.redispatch,
      fundingSource: fund(tool, request),
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

/** Where nothing is to be paid every way of funding is accepted, and none is used. */
function fund(tool: CatalogueTool, { funding }: CallRequest): FundingSource {
  if (isUnpaid(tool)) return 'none';
  if (funding === 'organization')
    throw new HelixError(
      'CALL.CONNECTION_UNAVAILABLE',
      'A native tool is not called through a connection of the workspace: use the funding auto or hlix.',
    );
  throw new HelixError('CALL.INSUFFICIENT_HEADROOM', 'The workspace has no wallet to pay this tool from.');
}
