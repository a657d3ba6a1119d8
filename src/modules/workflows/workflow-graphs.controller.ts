import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type GraphFormat, graphText, type WorkspaceGraph } from '../../common/dsl/index.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { Auth, type AuthContext, Operation } from '../access/index.js';
import { DrawWorkflowsQuery } from './dto/workflow-graph.dto.js';
import { GraphAnswer, graphTypes } from './graph-answer.decorator.js';
import { WorkflowsService } from './workflows.service.js';

const reading = { needs: 'workspace', scope: 'tools:read' } as const;

/** A picture opened by itself has its styles inside and needs nothing else. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

@ApiTags('Workflows')
@Controller('v1/api')
export class WorkflowGraphsController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly log: HelixLog,
  ) {}

  @Operation({
    id: 'drawWorkflows',
    summary: 'Draw who sends to whom among the workflows and tools that run now',
    ...reading,
  })
  @GraphAnswer()
  @Get('workflow-graph')
  async all(
    @Auth() auth: AuthContext,
    @Query() { format }: DrawWorkflowsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return this.#draw(await this.workflows.graph(auth), 'Workspace', format ?? wanted(request), response);
  }

  @Operation({
    id: 'drawWorkflow',
    summary: 'Draw one workflow or tool with its neighbours',
    errors: { 404: 'There is no such workflow or tool.' },
    ...reading,
  })
  @GraphAnswer()
  @Get('workflows/:workflowId/graph')
  async one(
    @Auth() auth: AuthContext,
    @Param('workflowId') id: string,
    @Query() { format }: DrawWorkflowsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return this.#draw(await this.workflows.graph(auth, id), id, format ?? wanted(request), response);
  }

  #draw(graph: WorkspaceGraph, title: string, format: GraphFormat, response: Response): string {
    response.vary('Accept').type(graphTypes[format]);
    if (format === 'svg') response.setHeader('Content-Security-Policy', picturePolicy);
    return this.log.redact(graphText(graph, format, title));
  }
}

function wanted(request: Request): GraphFormat {
  const type = request.accepts(Object.values(graphTypes));
  const formats = Object.keys(graphTypes) as GraphFormat[];
  return formats.find((format) => graphTypes[format] === type) ?? 'json';
}
