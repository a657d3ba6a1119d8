import { DirectComponent } from '../../../src/components/direct/index.js';
import { McpComponent } from '../../../src/components/mcp/mcp.component.js';
import { EgressGuard } from '../../../src/common/platform/egress/index.js';
import type { Component } from '../../../src/common/engine/api/component.js';
import type { Exchange } from '../../../src/common/engine/model/exchange.js';
import { workspaceOf, type WorkflowInit } from '../../../src/common/engine/testing/source.js';
import { makeEngine, type TestEngine } from '../../../src/common/engine/testing/test-engine.js';
import { JsonSchemaValidator } from '../../../src/common/platform/schema/json-schema-validator.js';
import { SdkMcpCaller } from '../../../src/modules/mcp-client/index.js';
import { closed, opened } from '../../support/leak-guard.js';

export interface CallerStand extends TestEngine {
  /** Sends to the workflow `ask`. */
  ask(body: unknown, init?: { headers?: Record<string, unknown>; signal?: AbortSignal }): Promise<Exchange>;
  stop(): Promise<void>;
}

export interface CallerStandInit {
  /** The one step of the workflow `ask`: a URI, or a URI with its parameters. */
  readonly target: unknown;
  readonly workflows?: readonly WorkflowInit[];
  readonly components?: readonly Component[];
  readonly egress?: boolean | readonly string[];
}

/** A real engine with the real client behind `mcp://`. */
export async function startCaller({
  target,
  workflows = [],
  components = [],
  egress = ['127.0.0.1'],
}: CallerStandInit): Promise<CallerStand> {
  const mcp = new McpComponent(new SdkMcpCaller(new EgressGuard(egress)), { now: () => Date.now() });
  const made = makeEngine({
    components: [new DirectComponent(), mcp, ...components],
    validator: new JsonSchemaValidator(),
  });
  const ask = { id: 'ask', from: 'direct://ask', steps: [{ target }] };
  await made.engine.start(workspaceOf({ workflows: [...workflows, ask] }));
  const name = `caller of ${JSON.stringify(target)}`;
  opened(name);
  return {
    ...made,
    ask: (body, init = {}) => made.engine.request('direct://ask', { body, ...init }),
    stop: async () => {
      await made.engine.stop({ timeoutMs: 2000 });
      closed(name);
    },
  };
}
