import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { watchWorkspace } from '../../common/dsl/watch-workspace.js';
import { HelixError, type FieldProblem } from '../../common/engine/errors/helix-error.js';
import type { WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import type { ReloadReport } from '../../common/engine/runtime/engine-options.js';
import { describeProblems } from '../../common/engine/runtime/problems.js';
import { HelixConfig } from '../../common/platform/config/helix-config.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { type Counter, Metrics } from '../../common/platform/metrics/metrics.js';
import { WorkflowEngine } from './workflow-engine.js';

/** What may ask for a reload; for the log. */
export type ReloadReason = 'SIGHUP' | 'watch' | 'API';

/**
 * Loads the workspace again while the engine runs. One reload follows the other; what is asked for while one waits for its
 * turn is that one, since it reads the files only then.
 */
@Injectable()
export class WorkspaceReload implements BeforeApplicationShutdown {
  #running: Promise<unknown> = Promise.resolve();
  #waiting: Promise<ReloadReport> | null = null;
  #wasRefused = false;
  #stopWatching: (() => void) | null = null;
  readonly #count: Counter;

  constructor(
    private readonly engine: WorkflowEngine,
    private readonly config: HelixConfig,
    private readonly log: HelixLog,
    metrics: Metrics,
  ) {
    this.#count = metrics.counter('helix_workspace_reloads_total', 'Reloads of the workspace.', ['outcome']);
    metrics.gauge(
      'helix_workspace_version',
      'Version of the workspace that counts on this node.',
      () => engine.version,
    );
    metrics.gauge(
      'helix_workspace_last_reload_refused',
      '1 where the last reload was refused, else 0.',
      () => (this.#wasRefused ? 1 : 0),
    );
  }

  /** @throws HelixError `WORKSPACE.RELOAD_REFUSED` with every problem, and what ran before goes on; `ENGINE.STOPPING` */
  reload(reason: ReloadReason): Promise<ReloadReport> {
    if (this.#waiting) return this.#waiting;
    const turn = this.#running.then(() => {
      this.#waiting = null;
      return this.#reload(reason);
    });
    this.#waiting = turn;
    this.#running = turn.catch(() => undefined);
    return turn;
  }

  /** The same where nobody waits for the answer: the log has it. */
  async attempt(reason: ReloadReason): Promise<void> {
    await this.reload(reason).catch(() => undefined);
  }

  /** Loads the workspace after each change of its files, until the app closes. */
  watch(): void {
    this.#stopWatching ??= watchWorkspace(this.config.workflows, () => void this.attempt('watch'));
  }

  beforeApplicationShutdown(): void {
    this.#stopWatching?.();
  }

  async #reload(reason: ReloadReason): Promise<ReloadReport> {
    try {
      const report = await this.engine.reload();
      this.#wasRefused = false;
      const isChanged = report.added.length + report.changed.length + report.removed.length > 0;
      this.#count.add(1, { outcome: isChanged ? 'changed' : 'unchanged' });
      this.#tell(report, reason, isChanged);
      return report;
    } catch (thrown) {
      const error = HelixError.from(thrown);
      if (error.code === 'ENGINE.STOPPING') throw error;
      this.#wasRefused = true;
      this.#count.add(1, { outcome: 'refused' });
      const refused = this.#refusal(error);
      this.log.write('error', refused.message, { reason });
      throw refused;
    }
  }

  #tell(
    { version, added, changed, removed, started, warnings }: ReloadReport,
    reason: string,
    isChanged: boolean,
  ): void {
    for (const warning of warnings) this.log.write('warn', warning);
    if (!isChanged)
      return this.log.write('info', 'workspace reloaded: no workflow changed', { reason, version });
    this.log.write('info', `workspace reloaded: version ${version}`, { reason, added, changed, removed });
    for (const { workflowId, from, address } of started)
      this.log.write('info', `workflow ${workflowId} listens on ${address ?? from}`, {
        workflow: workflowId,
      });
  }

  /** For an administrator, who may read what is wrong with the files; what a variable held stays hidden. */
  #refusal(error: HelixError): HelixError {
    const problems = (error.details['problems'] ?? []) as readonly WorkspaceProblem[];
    const reason = problems.length > 0 ? `\n${describeProblems(problems)}` : ` ${error.message}`;
    const message = `The workspace was not reloaded; version ${this.engine.version} goes on.${reason}`;
    return new HelixError('WORKSPACE.RELOAD_REFUSED', this.log.redact(message), {
      fields: problems.map((problem) => this.#fieldOf(problem)),
    });
  }

  #fieldOf({ place, rule, message }: WorkspaceProblem): FieldProblem {
    return {
      path: `${place.file}:${place.line}:${place.column}`,
      code: rule,
      message: this.log.redact(message),
    };
  }
}
