import type { WorkflowDirectory, WorkflowInfo } from '../api/workflow-directory.js';
import type { Exchange, ExchangeInit } from '../model/exchange.js';
import type { Workflow } from './workflow.js';

/**
 * What the workflows of one version see of each other: before it counts, those of that version; from then on, what the
 * engine runs.
 */
export class VersionDirectory implements WorkflowDirectory {
  constructor(
    private readonly engine: WorkflowDirectory,
    private readonly isReady: () => boolean,
    private readonly workflows: () => ReadonlyMap<string, Workflow>,
  ) {}

  list(): readonly WorkflowInfo[] {
    if (this.isReady()) return this.engine.list();
    return [...this.workflows().values()].map(({ workflow }) => workflow);
  }

  get(id: string): WorkflowInfo | undefined {
    return this.isReady() ? this.engine.get(id) : this.workflows().get(id)?.workflow;
  }

  exchange(id: string, init: Omit<ExchangeInit, 'id' | 'createdAt'>): Exchange {
    return this.engine.exchange(id, init);
  }

  run(id: string, exchange: Exchange): Promise<void> {
    return this.engine.run(id, exchange);
  }

  onChange(listener: () => void): () => void {
    return this.engine.onChange(listener);
  }
}
