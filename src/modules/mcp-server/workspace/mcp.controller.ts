import {
  All,
  Controller,
  Req,
  Res,
  type BeforeApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { UnreadBody } from '../../../common/platform/http/body.interceptor.js';
import { Auth, Operation, type AuthContext } from '../../access/index.js';
import { WorkspaceEndpoint } from './workspace-endpoint.js';

/** `/mcp`: the workspace's tools over MCP, behind the same guards as the REST API. */
@ApiExcludeController()
@Controller('mcp')
export class McpController implements OnModuleDestroy, BeforeApplicationShutdown {
  constructor(private readonly endpoint: WorkspaceEndpoint) {}

  @Operation({
    id: 'mcp',
    summary: 'Speak MCP with the tools of the workspace',
    needs: 'workspace',
    scope: 'tools:call',
  })
  @UnreadBody()
  @All()
  handle(@Auth() auth: AuthContext, @Req() request: Request, @Res() response: Response): void {
    this.endpoint.handle(request, response, auth);
  }

  /** Streams would hold the port open when the app closes. */
  onModuleDestroy(): void {
    this.endpoint.drain();
  }

  beforeApplicationShutdown(): void {
    this.endpoint.close();
  }
}
