import type { Route } from '../../../common/engine/api/component.js';
import type { Log } from '../../../common/engine/api/ports.js';
import type { Processor } from '../../../common/engine/api/processor.js';
import type { WorkflowDirectory, WorkflowInfo } from '../../../common/engine/api/workflow-directory.js';
import type { CallerLink } from '../../../common/engine/model/caller-link.js';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { Exchange } from '../../../common/engine/model/exchange.js';

/** A workflow for a spec: what is not said is a `direct://` workflow with an open schema that echoes its body. */
export interface ScriptedWorkflow extends Partial<WorkflowInfo> {
  readonly id: string;
  readonly process?: Processor;
}

/** Workflows in memory, each of which is one function. Runs like the engine: a thrown error becomes the failure. */
export class MemoryDirectory implements WorkflowDirectory {
  readonly #listeners = new Set<() => void>();
  #workflows: readonly ScriptedWorkflow[];
  #count = 0;
  /** Every exchange that was run. */
  readonly ran: Exchange[] = [];

  constructor(workflows: readonly ScriptedWorkflow[]) {
    this.#workflows = workflows;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  replace(workflows: readonly ScriptedWorkflow[]): void {
    this.#workflows = workflows;
    for (const listener of this.#listeners) listener();
  }

  list(): readonly WorkflowInfo[] {
    return this.#workflows.map(infoOf);
  }

  get(id: string): WorkflowInfo | undefined {
    return this.list().find((workflow) => workflow.id === id);
  }

  exchange(id: string, init: Parameters<WorkflowDirectory['exchange']>[1]): Exchange {
    if (!this.get(id)) throw new HelixError('ENGINE.UNKNOWN_WORKFLOW', `There is no workflow "${id}".`);
    return new Exchange({ ...init, id: `exchange-${++this.#count}` });
  }

  async run(id: string, exchange: Exchange): Promise<void> {
    this.ran.push(exchange);
    try {
      await this.#workflows.find((workflow) => workflow.id === id)?.process?.(exchange);
    } catch (thrown) {
      exchange.fail(thrown);
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A route as a workflow with the trigger `mcp-server://` is handed it. */
  route(): Route {
    const workflow = infoOf({ id: 'host', scheme: 'mcp-server', from: 'mcp-server://127.0.0.1:0' });
    return {
      workflow,
      directory: this,
      exchange: (init) => new Exchange({ ...init, id: 'hosted' }),
      serves: () => true,
      coexistsWith: () => true,
      violations: () => [],
      run: () => Promise.resolve(),
      pass: () => undefined,
    };
  }
}

export function infoOf(workflow: ScriptedWorkflow): WorkflowInfo {
  const scheme = workflow.scheme ?? 'direct';
  return {
    id: workflow.id,
    scheme,
    from: workflow.from ?? `${scheme}://${workflow.id}`,
    description: workflow.description ?? null,
    inputSchema:
      workflow.inputSchema === undefined ? { type: 'object', properties: {} } : workflow.inputSchema,
    outputSchema: workflow.outputSchema ?? null,
    state: workflow.state ?? 'started',
    timeoutMs: workflow.timeoutMs ?? null,
  };
}

/** Keeps what was logged. */
export class MemoryLog implements Log {
  readonly lines: { readonly level: string; readonly message: string; readonly facts?: unknown }[] = [];

  write(level: string, message: string, facts?: Readonly<Record<string, unknown>>): void {
    this.lines.push({ level, message, facts });
  }
}

/** A link nobody listens on. */
export const deafLink: CallerLink = {
  log: () => undefined,
  progress: () => undefined,
  ask: () => Promise.reject(new HelixError('ENGINE.NOBODY_TO_ASK', 'Nobody is there.')),
};
