import { PassThrough } from 'node:stream';
import { DirectComponent } from '../../../src/components/direct/index.js';
import { MemorySessionShelf, type SessionShelf } from '../../../src/components/mcp-server/session-shelf.js';
import { McpOffers } from '../../../src/components/mcp-server/mcp-offers.js';
import { McpPromptComponent } from '../../../src/components/mcp-server/mcp-prompt.component.js';
import { McpResourceComponent } from '../../../src/components/mcp-server/mcp-resource.component.js';
import { McpServerComponent } from '../../../src/components/mcp-server/mcp-server.component.js';
import { JsonSchemaValidator } from '../../../src/common/platform/schema/json-schema-validator.js';
import type { Processor } from '../../../src/common/engine/api/processor.js';
import { workspaceOf, type WorkflowInit } from '../../../src/common/engine/testing/source.js';
import { makeEngine, type TestEngine } from '../../../src/common/engine/testing/test-engine.js';
import { NodeMcpHost } from '../../../src/modules/mcp-server/mcp-host.js';
import { closed, opened } from '../../support/leak-guard.js';

export interface StandInit {
  /** What follows `mcp-server://127.0.0.1:0?`. */
  readonly options?: string;
  /** Instead of the address and the options. */
  readonly uri?: string;
  readonly workflows?: readonly WorkflowInit[];
  /** Steps of the workflow that hosts the server. */
  readonly hostSteps?: readonly unknown[];
  /** Targets `test://name`. */
  readonly processors?: Readonly<Record<string, Processor>>;
  readonly keepAliveMs?: number;
  readonly sessions?: SessionShelf;
}

export interface Stand extends TestEngine {
  /** Where the server listens. */
  readonly url: URL;
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  /** Resolves when a stdio server says that its peer is gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** A real engine with an `mcp-server://` on a port of its own. */
export async function startStand(init: StandInit): Promise<Stand> {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const log = { write: (): void => undefined };
  const host = new NodeMcpHost({
    log,
    stdio: { input: stdin, output: stdout },
    onStdioEnd: () => end(),
    graceMs: 2000,
    ...(init.keepAliveMs === undefined ? {} : { keepAliveMs: init.keepAliveMs }),
  });
  const clock = { now: (): number => Date.now() };
  const offers = new McpOffers();
  const component = new McpServerComponent({
    host,
    offers,
    sessions: init.sessions ?? new MemorySessionShelf(clock),
    log,
    clock,
  });
  const uri = init.uri ?? `mcp-server://127.0.0.1:0?${init.options ?? ''}`;
  const made = makeEngine({
    components: [
      new DirectComponent(),
      new McpPromptComponent(offers),
      new McpResourceComponent(offers),
      component,
    ],
    validator: new JsonSchemaValidator(),
    processors: init.processors ?? {},
  });
  const workflows = [...(init.workflows ?? []), { id: 'mcp-server', from: uri, steps: init.hostSteps ?? [] }];
  const report = await made.engine.start(workspaceOf({ workflows }));
  const address = report.started.find(({ workflowId }) => workflowId === 'mcp-server')?.address;
  const name = `MCP server at ${address}`;
  opened(name);
  return {
    ...made,
    url: new URL(URL.canParse(address ?? '') ? (address ?? '') : 'stdio:'),
    stdin,
    stdout,
    ended,
    close: async () => {
      await made.engine.stop({ timeoutMs: 2000 });
      closed(name);
    },
  };
}
