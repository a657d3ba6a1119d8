import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiRefusedWorkspace } from '../../common/platform/http/openapi/errors.decorator.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { administrators, Auth, type AuthContext, Operation } from '../access/index.js';
import { WorkflowDetailDto, WorkflowDto, WorkflowListDto, WorkspaceReloadDto } from './dto/workflow.dto.js';
import { presentDetail, presentReload, presentWorkflow } from './workflow.presenter.js';
import { type WorkflowAction, WorkflowsService } from './workflows.service.js';

const reading = { needs: 'workspace', scope: 'tools:read' } as const;
const steering = { needs: 'workspace', roles: administrators, scope: 'admin:*' } as const;
const unknown = { 404: 'There is no such workflow.' } as const;
const unfit = {
  ...unknown,
  409: 'The workflow is disabled in the workspace, or it cannot be started; the error says why.',
} as const;

@ApiTags('Workflows')
@Controller('v1/api/workflows')
export class WorkflowsController {
  readonly #redact: (text: string) => string;

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly config: HelixConfig,
    log: HelixLog,
  ) {
    this.#redact = (text) => log.redact(text);
  }

  @Operation({
    id: 'listWorkflows',
    summary: 'List the workflows of this node, their states and counters',
    ...reading,
  })
  @ApiOkResponse({ type: WorkflowListDto })
  @Get()
  async list(@Auth() auth: AuthContext): Promise<WorkflowListDto> {
    const { version, workflows } = await this.workflows.list(auth);
    return { version, items: workflows.map((each) => presentWorkflow(each, this.#redact)) };
  }

  @Operation({
    id: 'reloadWorkflows',
    summary: 'Load the workspace again',
    description:
      'The files are read, checked and built beside what runs. What is on its way finishes on the version it began on, ' +
      'what comes uses the new one, and workflows that say the same are not touched. Where anything is wrong, nothing changes.',
    ...steering,
  })
  @ApiRefusedWorkspace(
    'The workspace has problems and was not loaded: the error lists every one as file:line:column.',
  )
  @ApiOkResponse({ type: WorkspaceReloadDto })
  @Post('reload')
  @HttpCode(200)
  async reload(@Auth() auth: AuthContext): Promise<WorkspaceReloadDto> {
    return presentReload(await this.workflows.reload(auth));
  }

  @Operation({
    id: 'getWorkflow',
    summary: 'Read a workflow with its schemas and what is on its way',
    errors: unknown,
    ...reading,
  })
  @ApiOkResponse({ type: WorkflowDetailDto })
  @Get(':workflowId')
  async read(@Auth() auth: AuthContext, @Param('workflowId') id: string): Promise<WorkflowDetailDto> {
    const { status, exchanges } = await this.workflows.read(auth, id);
    return presentDetail(status, exchanges, this.#redact, this.config.workflows);
  }

  @Operation({
    id: 'startWorkflow',
    summary: 'Start a workflow that is stopped or failed',
    errors: unfit,
    ...steering,
  })
  @ApiOkResponse({ type: WorkflowDto, description: 'One that runs stays as it is.' })
  @Post(':workflowId/start')
  @HttpCode(200)
  start(@Auth() auth: AuthContext, @Param('workflowId') id: string): Promise<WorkflowDto> {
    return this.#act(auth, id, 'start');
  }

  @Operation({
    id: 'stopWorkflow',
    summary: 'Stop a workflow until it is started again or changed',
    description: 'Nothing new reaches it; what is on its way runs on and shows in `counters.inFlight`.',
    errors: unknown,
    ...steering,
  })
  @ApiOkResponse({ type: WorkflowDto })
  @Post(':workflowId/stop')
  @HttpCode(200)
  stop(@Auth() auth: AuthContext, @Param('workflowId') id: string): Promise<WorkflowDto> {
    return this.#act(auth, id, 'stop');
  }

  @Operation({
    id: 'restartWorkflow',
    summary: 'Stop a workflow, let it run out, and start it again',
    description:
      'Its endpoints forget what failed before: an `mcp://` target that could not connect is tried again.',
    errors: unfit,
    ...steering,
  })
  @ApiOkResponse({ type: WorkflowDto })
  @Post(':workflowId/restart')
  @HttpCode(200)
  restart(@Auth() auth: AuthContext, @Param('workflowId') id: string): Promise<WorkflowDto> {
    return this.#act(auth, id, 'restart');
  }

  async #act(auth: AuthContext, id: string, action: WorkflowAction): Promise<WorkflowDto> {
    return presentWorkflow(await this.workflows.act(auth, id, action), this.#redact);
  }
}
