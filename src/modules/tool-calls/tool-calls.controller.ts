import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { headersNamed } from '../../common/platform/http/openapi/answer-headers.js';
import { Auth, type AuthContext, Operation, roles } from '../access/index.js';
import { ListToolCallsQuery } from './dto/list-tool-calls.query.js';
import { ToolCallInputDto } from './dto/tool-call-input.dto.js';
import { ReceiptDto } from './dto/receipt.dto.js';
import { ToolCallDto, ToolCallListDto } from './dto/tool-call.dto.js';
import { preferredWaitMs } from './prefer-wait.js';
import { presentCall, presentReceipt, presentSummary } from './tool-call.presenter.js';
import { ToolCallsService } from './tool-calls.service.js';

const noSuchCall = { 404: 'No such tool or call in this workspace.' } as const;

@ApiTags('Tools')
@Controller('v1/api')
export class ToolCallsController {
  constructor(private readonly calls: ToolCallsService) {}

  @Operation({
    id: 'listToolCalls',
    summary: 'List recent workspace tool invocations',
    needs: 'workspace',
    roles,
    scope: 'calls:read',
  })
  @ApiOkResponse({ type: ToolCallListDto, description: 'Newest first, with stable keyset pagination.' })
  @Get('tool-calls')
  async list(@Auth() auth: AuthContext, @Query() query: ListToolCallsQuery): Promise<ToolCallListDto> {
    const { projectId = null, limit = '30', cursor } = query;
    const { items, nextCursor } = await this.calls.list(auth, { projectId, limit: Number(limit), cursor });
    return { items: items.map(presentSummary), nextCursor };
  }

  @Operation({
    id: 'getToolCall',
    summary: 'Read a persisted tool result and cost status',
    needs: 'workspace',
    roles,
    scope: 'calls:read',
    errors: noSuchCall,
  })
  @ApiOkResponse({
    type: ToolCallDto,
    description:
      'Execution and cost settle independently. Native accounting belongs to the named service; null actual costs are not zero.',
  })
  @Get('tool-calls/:callId')
  async read(@Auth() auth: AuthContext, @Param('callId') callId: string): Promise<ToolCallDto> {
    return presentCall(await this.calls.read(auth, callId));
  }

  @Operation({
    id: 'getToolCallReceipt',
    summary: 'Read what a call reserved, cost and was charged',
    needs: 'workspace',
    roles,
    scope: 'calls:read',
    errors: noSuchCall,
  })
  @ApiOkResponse({ type: ReceiptDto, description: 'Not final as long as the cost may still become known.' })
  @Get('tool-calls/:callId/receipt')
  async receipt(@Auth() auth: AuthContext, @Param('callId') callId: string): Promise<ReceiptDto> {
    return presentReceipt(await this.calls.receipt(auth, callId));
  }

  @Operation({
    id: 'callTool',
    summary: 'Create or revisit a durable tool invocation',
    description:
      'The call is stored before the tool runs, and answered when the tool is done or after some seconds, whichever ' +
      'comes first; its status tells. Going away does not cancel it. To try again after a failure of the network, send ' +
      'the same body with the same idempotencyKey.',
    needs: 'workspace',
    roles,
    scope: 'tools:call',
    hasBody: true,
    errors: {
      ...noSuchCall,
      402: 'Insufficient workspace spending headroom for this reservation.',
      409: 'This key already identifies a different request, or the selected connection is unavailable.',
    },
  })
  @ApiHeader({
    name: 'Prefer',
    required: false,
    description: 'wait=N: answer after at most N seconds (0–30), with the status the call has by then.',
    schema: { type: 'string', example: 'wait=5' },
  })
  // Said here, or Swagger UI makes one of every property, whose project does not exist and whose budget is the largest.
  @ApiBody({
    type: ToolCallInputDto,
    examples: {
      call: { value: { idempotencyKey: 'order-4711-lookup', input: { number: '4711' } } },
    },
  })
  @ApiResponse({
    status: 200,
    type: ToolCallDto,
    description: 'Same idempotency key and request: the existing invocation.',
    headers: headersNamed('Idempotent-Replayed'),
  })
  @ApiResponse({
    status: 201,
    type: ToolCallDto,
    description: 'New invocation persisted before provider dispatch.',
    headers: { Location: { description: 'Where the call can be read.', schema: { type: 'string' } } },
  })
  @Post('tools/:toolId/call')
  async call(
    @Auth() auth: AuthContext,
    @Param('toolId') toolId: string,
    @Headers('prefer') prefer: string | undefined,
    @Body() body: ToolCallInputDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ToolCallDto> {
    const { idempotencyKey, input, funding = 'auto', maxCostMicros = null, projectId = null } = body;
    const request = { toolId, idempotencyKey, input, funding, maxCostMicros, projectId };
    const { call, isReplay } = await this.calls.call(auth, request, preferredWaitMs(prefer));
    if (isReplay) response.status(200).setHeader('Idempotent-Replayed', 'true');
    else response.status(201).setHeader('Location', `/v1/api/tool-calls/${call.id}`);
    return presentCall(call);
  }
}
