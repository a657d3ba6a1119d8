import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import { ToolCallsService, type ToolCall } from '../../tool-calls/index.js';
import { ToolsService, type CatalogueTool } from '../../tools/index.js';
import { AuthContexts } from './auth-contexts.js';
import {
  ToolCatalogue,
  type CatalogueEntry,
  type CatalogueOutcome,
  type CatalogueRequest,
} from './tool-catalogue.js';

/** More than a model can choose among; a list this long should be searched. */
const mostTools = 2_000;
/** The client decides how long it waits; a tool's own time-out is what ends the call. */
const longestWaitMs = 600_000;

/** The tools and durable calls of the REST API, under the same rules. */
@Injectable()
export class DurableCatalogue extends ToolCatalogue {
  constructor(
    private readonly contexts: AuthContexts,
    private readonly tools: ToolsService,
    private readonly calls: ToolCallsService,
  ) {
    super();
  }

  async list(caller: Caller): Promise<readonly CatalogueEntry[]> {
    const search = { text: undefined, provider: undefined, limit: mostTools };
    const { items } = await this.tools.search(this.contexts.of(caller), search);
    return items.filter(({ status }) => status === 'available').map(entryOf);
  }

  async find(caller: Caller, id: string): Promise<CatalogueEntry | null> {
    try {
      const tool = await this.tools.find(this.contexts.of(caller), id);
      return tool.status === 'available' ? entryOf(tool) : null;
    } catch (thrown) {
      if (thrown instanceof HelixError && thrown.code === 'TOOL.UNKNOWN_TOOL') return null;
      throw thrown;
    }
  }

  onChange(listener: () => void): () => void {
    return this.tools.onChange(listener);
  }

  async call(caller: Caller, request: CatalogueRequest): Promise<CatalogueOutcome> {
    const { toolId, input, projectId, funding, maxCostMicros } = request;
    const key = request.idempotencyKey ?? `mcp-${randomUUID()}`;
    const asked = {
      toolId,
      idempotencyKey: key,
      input,
      funding: funding ?? 'auto',
      maxCostMicros,
      projectId,
    };
    const { call } = await this.calls.call(this.contexts.of(caller), asked, longestWaitMs);
    return outcomeOf(call);
  }
}

function entryOf(tool: CatalogueTool): CatalogueEntry {
  return {
    id: tool.id,
    title: tool.name,
    description: tool.description ?? tool.summary,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    isReadOnly: tool.policy.sideEffects === 'read',
    isIdempotent: tool.policy.redispatch === 'safe',
  };
}

function outcomeOf({ id, status, resultJson, error }: ToolCall): CatalogueOutcome {
  return { callId: id, status, resultJson, error };
}
