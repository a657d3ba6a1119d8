import { basename, relative, sep } from 'node:path';
import type {
  ReloadReport,
  StuckExchange,
  WorkflowStatus,
} from '../../common/engine/runtime/engine-options.js';
import type { WorkflowDetailDto, WorkflowDto, WorkspaceReloadDto } from './dto/workflow.dto.js';

/** Exchanges shown of one workflow, oldest first. */
const mostExchanges = 100;

/** A Workflow as plain data. */
type Presented = Pick<WorkflowDto, keyof WorkflowDto>;

/** @param redact takes out of a message what a variable held */
export function presentWorkflow(status: WorkflowStatus, redact: (text: string) => string): Presented {
  const { id, description, state, version, from, scheme, address, failure, counts } = status;
  const { started, completed, failed, inFlight, meanMs, maxMs, lastFailure } = counts;
  return {
    id,
    description,
    state,
    version,
    trigger: { uri: from, scheme, address },
    error: failure && { code: failure.code, message: redact(failure.message) },
    counters: {
      started,
      completed,
      failed,
      inFlight,
      meanMs: rounded(meanMs),
      maxMs: rounded(maxMs),
      lastFailure: lastFailure && { code: lastFailure.code, at: new Date(lastFailure.at).toISOString() },
    },
  };
}

export function presentDetail(
  status: WorkflowStatus,
  exchanges: readonly StuckExchange[],
  redact: (text: string) => string,
  roots: readonly string[],
): WorkflowDetailDto {
  const { inputSchema, outputSchema, timeoutMs, place } = status;
  return {
    ...presentWorkflow(status, redact),
    inputSchema,
    outputSchema,
    timeoutMs,
    source: `${withinWorkspace(place.file, roots)}:${place.line}`,
    exchanges: exchanges
      .slice(0, mostExchanges)
      .map(({ exchangeId, stepId, ageMs }) => ({ id: exchangeId, step: stepId, ageMs })),
  };
}

/** Where the workspace lies on the machine is nobody's business who reads it from outside. */
function withinWorkspace(file: string, roots: readonly string[]): string {
  const root = roots.find((each) => file.startsWith(`${each}${sep}`));
  return root === undefined ? basename(file) : relative(root, file);
}

export function presentReload(report: ReloadReport): WorkspaceReloadDto {
  const { version, added, changed, removed, unchanged, warnings } = report;
  return { version, added, changed, removed, unchanged, warnings };
}

/** To a microsecond. */
const rounded = (ms: number | null): number | null => ms && Math.round(ms * 1000) / 1000;
