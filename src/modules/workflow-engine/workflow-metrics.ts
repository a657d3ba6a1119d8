import { Injectable } from '@nestjs/common';
import { Metrics } from '../../common/platform/metrics/metrics.js';
import { WorkflowEngine } from './workflow-engine.js';

/**
 * Workflows at `/metrics`, read from the engine's own counters when somebody asks. The one label is the id, and only ids of
 * the workspace that counts are shown: their number is bounded however often it is reloaded.
 */
@Injectable()
export class WorkflowMetrics {
  constructor(engine: WorkflowEngine, metrics: Metrics) {
    const each = (read: (status: ReturnType<typeof engine.statuses>[number]) => number) => () =>
      engine.statuses().map((status) => [{ workflow: status.id }, read(status)] as const);
    metrics.series(
      'helix_workflow_started_total',
      'counter',
      'Exchanges that workflows began.',
      ['workflow'],
      each(({ counts }) => counts.started),
    );
    metrics.series(
      'helix_workflow_completed_total',
      'counter',
      'Exchanges that workflows completed.',
      ['workflow'],
      each(({ counts }) => counts.completed),
    );
    metrics.series(
      'helix_workflow_failed_total',
      'counter',
      'Exchanges that failed in workflows.',
      ['workflow'],
      each(({ counts }) => counts.failed),
    );
    metrics.series(
      'helix_workflow_seconds_total',
      'counter',
      'Time that ended exchanges took.',
      ['workflow'],
      each(({ counts }) => counts.totalMs / 1000),
    );
    metrics.series(
      'helix_workflow_in_flight',
      'gauge',
      'Exchanges on their way in workflows.',
      ['workflow'],
      each(({ counts }) => counts.inFlight),
    );
    metrics.series(
      'helix_workflow_up',
      'gauge',
      '1 where the workflow listens, else 0.',
      ['workflow'],
      each(({ state }) => (state === 'started' ? 1 : 0)),
    );
  }
}
