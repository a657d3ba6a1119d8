import { Global, Module } from '@nestjs/common';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { EngineClient } from '../../../src/common/engine/api/engine-client.js';
import { type FieldProblem, HelixError } from '../../../src/common/engine/errors/helix-error.js';
import { Exchange } from '../../../src/common/engine/model/exchange.js';
import type {
  ToolDefinition,
  ToolPolicy,
  ToolPricing,
} from '../../../src/common/engine/model/tool-definition.js';
import { AccessModule } from '../../../src/modules/access/index.js';
import { AuditModule } from '../../../src/modules/audit/index.js';
import { ConnectionsModule } from '../../../src/modules/connections/index.js';
import { HealthModule } from '../../../src/modules/health/index.js';
import { OrganizationsModule } from '../../../src/modules/organizations/index.js';
import { ToolCallsModule } from '../../../src/modules/tool-calls/index.js';
import { type ShelvedTool, ToolShelf, ToolsModule } from '../../../src/modules/tools/index.js';

type Work = (input: never, signal: AbortSignal, exchange: Exchange) => unknown;

interface Bench {
  readonly schema?: Record<string, unknown>;
  readonly policy?: Partial<ToolPolicy>;
  readonly pricing?: Partial<ToolPricing>;
  readonly description?: string;
  readonly work: Work;
}

/**
 * Tools whose runs a story can count, hold up and fail. It stands where the engine stands in the product, so that a
 * story about the REST API can stop time inside a tool; stories about real tools run on the real engine.
 */
export class Workbench extends ToolShelf {
  readonly #tools = new Map<string, Bench>();
  readonly #fits = new Map<string, ValidateFunction>();
  #shelved: readonly ShelvedTool[] = [];
  readonly runs: { readonly tool: string; readonly input: unknown; readonly caller: Exchange['caller'] }[] =
    [];

  readonly engine: EngineClient = {
    request: async (uri, init) => {
      const exchange = new Exchange({ id: 'test', ...init });
      const id = uri.slice('tool://'.length);
      const bench = this.#tools.get(id);
      this.runs.push({ tool: id, input: init.body, caller: exchange.caller });
      try {
        if (bench === undefined) throw new HelixError('TOOL.UNKNOWN_TOOL', 'There is no such tool.');
        exchange.body = await bench.work(init.body as never, exchange.signal, exchange);
      } catch (error) {
        exchange.fail(error);
      }
      return exchange;
    },
  };

  all(): readonly ShelvedTool[] {
    return this.#shelved;
  }

  problems(id: string, args: unknown): readonly FieldProblem[] {
    const fits = this.#fits.get(id);
    if (!fits || fits(args)) return [];
    return (fits.errors ?? []).map(({ instancePath, keyword, params }) => {
      const name =
        (params as Record<string, string>).missingProperty ??
        (params as Record<string, string>).additionalProperty;
      return {
        path: `${instancePath}${name === undefined ? '' : `/${name}`}`,
        code: keyword,
        message: 'does not fit',
      };
    });
  }

  add(id: string, bench: Bench): void {
    this.#tools.set(id, bench);
    if (bench.schema)
      this.#fits.set(id, new Ajv2020({ strict: false, allErrors: true }).compile(bench.schema));
    this.#shelved = [...this.#tools].map(([toolId, made]) => shelve(toolId, made));
  }

  remove(id: string): void {
    this.#tools.delete(id);
    this.#shelved = [...this.#tools].map(([toolId, made]) => shelve(toolId, made));
  }

  runsOf(id: string): number {
    return this.runs.filter(({ tool }) => tool === id).length;
  }
}

function shelve(id: string, { schema, policy, pricing, description }: Bench): ShelvedTool {
  const definition: ToolDefinition = {
    id,
    name: null,
    description: description ?? null,
    input: {},
    output: {},
    inputSchema: null,
    outputSchema: null,
    validateSchema: true,
    rules: [],
    policy: {
      timeoutMs: 20_000,
      maxResultBytes: 1_000_000,
      sideEffects: 'unknown',
      redispatch: 'never',
      requiresProject: false,
      ...policy,
    },
    pricing: { model: 'free', micros: null, estimateMicros: 0, note: null, ...pricing },
    docsUrl: null,
  };
  return { definition, inputSchema: schema ?? { type: 'object' }, outputSchema: null };
}

/** The REST API over a workbench; the bench is the class's own, so several apps of a story may share it. */
export function restOver(bench: Workbench): new () => object {
  @Global()
  @Module({ providers: [{ provide: ToolShelf, useValue: bench }], exports: [ToolShelf] })
  class WorkbenchModule {}

  @Module({
    imports: [
      HealthModule,
      WorkbenchModule,
      AccessModule,
      OrganizationsModule,
      AuditModule,
      ToolsModule,
      ConnectionsModule,
      ToolCallsModule,
    ],
  })
  class RestModule {}
  return RestModule;
}

/** Something a tool waits for until the story lets it go on. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
