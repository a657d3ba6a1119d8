import type { Clock, Log } from '../api/ports.js';
import type { WorkspaceVersion } from '../model/workspace-version.js';
import type { InFlight } from './in-flight.js';
import { inStartOrder, isEdge } from './start-order.js';
import type { Versions } from './versions.js';
import type { Workflow } from './workflow.js';

interface Parts {
  readonly inFlight: InFlight;
  readonly versions: Versions;
  readonly clock: Clock;
  readonly log: Log;
  readonly stop: (workflow: Workflow) => Promise<void>;
}

/** After this time what keeps an old version alive is told by name, and from then on once a minute. */
const PATIENCE_MS = 30_000;
const THEN_EVERY_MS = 60_000;

/**
 * Lets what began on a replaced version of the workspace finish there, however long it takes, and then stops what it
 * needed. Its edges take nothing new from the first moment on.
 */
export async function retire(
  workflows: readonly Workflow[],
  last: WorkspaceVersion,
  { inFlight, versions, clock, log, stop }: Parts,
): Promise<void> {
  const leaving = inStartOrder(workflows).toReversed();
  for (const workflow of leaving.filter(isEdge)) await stop(workflow);
  const isOut = (): boolean =>
    versions.inFlightUpTo(last) === 0 && workflows.every(({ backlog }) => backlog === 0);
  const since = clock.now();
  let toldAt = since;
  const progress = (): void => {
    const now = clock.now();
    if (now - since < PATIENCE_MS) {
      log.write('info', `version ${last.number} of the workspace: waiting for exchanges to run out`, {
        exchanges: versions.inFlightUpTo(last),
      });
    } else if (toldAt === since || now - toldAt >= THEN_EVERY_MS) {
      toldAt = now;
      for (const { exchangeId, workflowId, stepId, ageMs } of inFlight.list(last)) {
        log.write('warn', `still running on version ${last.number} of the workspace`, {
          workflow: workflowId,
          step: stepId,
          exchange: exchangeId,
          ageMs,
        });
      }
    }
  };
  await inFlight.until(isOut, null, progress);
  for (const workflow of leaving) workflow.letGo();
  await inFlight.until(isOut, null, progress);
  for (const workflow of leaving.filter((each) => !isEdge(each))) await stop(workflow);
  versions.ended(last);
}
