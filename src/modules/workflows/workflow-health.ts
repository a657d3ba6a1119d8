import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness, type ReadinessReport } from '../health/index.js';
import { WorkflowEngine } from '../workflow-engine/index.js';

/** Ready is who has started every workflow and stops none: not before they answer, and not while they run out. */
@Injectable()
export class WorkflowHealth implements OnModuleInit {
  constructor(
    private readonly engine: WorkflowEngine,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.readiness.add('workflows', () => this.#judge());
  }

  #judge(): ReadinessReport {
    if (!this.engine.isRunning) return { state: 'down', note: 'The workflows are starting or stopping.' };
    const failed = this.engine.statuses().filter(({ state }) => state === 'failed');
    if (failed.length === 0) return { state: 'ok' };
    return { state: 'degraded', note: `Not running: ${failed.map(({ id }) => id).join(', ')}.` };
  }
}
