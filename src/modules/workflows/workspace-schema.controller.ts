import { createHash } from 'node:crypto';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { workspaceSchema } from '../../common/dsl/index.js';
import { WorkflowEngine } from '../workflow-engine/index.js';

/** For editors, without a key: what a workspace file may say to this Helix, and nothing that one does say. */
@ApiExcludeController()
@Controller()
export class WorkspaceSchemaController {
  #made: { readonly text: string; readonly tag: string } | undefined;

  constructor(private readonly engine: WorkflowEngine) {}

  @Get('workflow.schema.json')
  schema(@Req() request: Request, @Res({ passthrough: true }) response: Response): string | undefined {
    const { text, tag } = (this.#made ??= this.#make());
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.setHeader('ETag', tag);
    // Editors in browsers read it from pages of another origin.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.type('application/schema+json');
    if (!request.fresh) return text;
    response.status(304);
    return undefined;
  }

  #make(): { readonly text: string; readonly tag: string } {
    const text = `${JSON.stringify(workspaceSchema(this.engine.vocabulary))}\n`;
    return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
  }
}
