import type { Funding, FundingSource } from '../tools/index.js';
import type { ToolCallEntity } from './tool-call.entity.js';
import type {
  CallCreator,
  CallError,
  CallStatus,
  CostStatus,
  FinalCost,
  ToolCall,
  ToolCallSummary,
} from './tool-call.js';

/** A call with what only its keeper needs. */
export interface StoredCall extends ToolCall {
  readonly requestHash: Buffer;
  readonly requestHashVersion: number;
}

export function summaryOf(row: Omit<ToolCallEntity, 'input' | 'result' | 'requestHash'>): ToolCallSummary {
  return {
    id: row.id,
    organizationId: row.organizationId,
    projectId: row.projectId,
    toolId: row.toolId,
    provider: row.provider,
    idempotencyKey: row.idempotencyKey,
    status: row.status as CallStatus,
    resultTruncated: row.resultTruncated,
    error: row.error === null ? null : (JSON.parse(row.error) as CallError),
    funding: { requested: row.fundingRequested as Funding, source: row.fundingSource as FundingSource },
    cost: {
      ...finalCostOf(row),
      accountingService: row.accountingService,
      currency: 'USD',
      reservedMicros: row.reservedMicros,
    },
    createdBy: { type: row.createdByType as CallCreator['type'], id: row.createdById },
    attempts: row.attempts,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    completedAt: row.completedAt,
    updatedAt: row.updatedAt,
  };
}

export function finalCostOf(
  row: Pick<ToolCallEntity, 'costStatus' | 'actualMicros' | 'chargedMicros' | 'costReference' | 'settledAt'>,
): FinalCost {
  return {
    status: row.costStatus as CostStatus,
    actualMicros: row.actualMicros,
    chargedMicros: row.chargedMicros,
    reference: row.costReference,
    settledAt: row.settledAt,
  };
}

export function callOf(row: ToolCallEntity): StoredCall {
  return {
    ...summaryOf(row),
    inputJson: row.input,
    resultJson: row.result,
    requestHash: row.requestHash,
    requestHashVersion: row.requestHashVersion,
  };
}
