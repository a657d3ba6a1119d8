import type { ToolCallDto, ToolCallSummaryDto } from './dto/tool-call.dto.js';
import { presentEntry, presentReservation } from '../funding/index.js';
import type { ReceiptDto } from './dto/receipt.dto.js';
import type { Receipt } from './tool-calls.service.js';
import type { ToolCall, ToolCallSummary } from './tool-call.js';

export function presentSummary(call: ToolCallSummary) {
  return {
    id: call.id,
    organizationId: call.organizationId,
    projectId: call.projectId,
    toolId: call.toolId,
    provider: call.provider,
    idempotencyKey: call.idempotencyKey,
    status: call.status,
    resultTruncated: call.resultTruncated,
    error: call.error,
    funding: call.funding,
    cost: { ...call.cost, settledAt: call.cost.settledAt?.toISOString() ?? null },
    createdBy: call.createdBy,
    attempts: call.attempts,
    createdAt: call.createdAt.toISOString(),
    startedAt: call.startedAt?.toISOString() ?? null,
    completedAt: call.completedAt?.toISOString() ?? null,
    updatedAt: call.updatedAt.toISOString(),
  } satisfies ToolCallSummaryDto;
}

export function presentReceipt({ call, hold, entries }: Receipt): ReceiptDto {
  return {
    call: presentSummary(call),
    reservation: hold && presentReservation(hold),
    entries: entries.map(presentEntry),
    isFinal: call.completedAt !== null && !['reserved', 'pending'].includes(call.cost.status),
  };
}

export function presentCall(call: ToolCall): ToolCallDto {
  return {
    ...presentSummary(call),
    input: JSON.parse(call.inputJson) as unknown,
    result: call.resultJson === null ? null : (JSON.parse(call.resultJson) as unknown),
  };
}
