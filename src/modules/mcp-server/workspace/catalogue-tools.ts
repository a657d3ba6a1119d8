import { createHash } from 'node:crypto';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import type { Caller } from '../../../common/engine/model/caller.js';
import { Message } from '../../../common/engine/model/message.js';
import { withoutMeta } from '../../../components/mcp-server/session-id.js';
import { sanitizeToolName } from '../../../components/mcp-server/tool-name.js';
import { argumentRefusal, refusal, resultOf } from '../../../components/mcp-server/tool-result.js';
import { asObjectSchema } from '../../../components/mcp-server/tool-schema.js';
import type {
  ResourceOffer,
  ResourceText,
  SourceChange,
  ToolCall,
  ToolOffer,
  ToolResult,
  ToolSource,
} from '../../../components/mcp-server/tool-source.js';
import type { CatalogueEntry, CatalogueFunding, CatalogueOutcome, ToolCatalogue } from './tool-catalogue.js';

const idempotencyKey = 'io.helix/idempotencyKey';
const projectKey = 'io.helix/projectId';
const fundingKey = 'io.helix/funding';
const budgetKey = 'io.helix/maxCostMicros';
const callKey = 'io.helix/callId';

/** The tools of a workspace's catalogue: every call is durable, and with a key of the client it is made once. */
export class CatalogueTools implements ToolSource {
  constructor(private readonly catalogue: ToolCatalogue) {}

  async tools(caller: Caller): Promise<readonly ToolOffer[]> {
    return [...(await this.#named(caller))].map(([name, entry]) => offerOf(name, entry));
  }

  async find(name: string, caller: Caller): Promise<ToolOffer | null> {
    const entry = await this.#entry(name, caller);
    return entry && offerOf(name, entry);
  }

  async call({ name, args, meta, caller }: ToolCall): Promise<ToolResult | null> {
    const key = metaText(meta, idempotencyKey);
    const projectId = metaText(meta, projectKey);
    const funding = metaFunding(meta);
    const maxCostMicros = metaMicros(meta);
    const input = withoutMeta(args);
    // Unknown names go on as ids: a key may stand for a call whose tool has gone since.
    const toolId = (await this.#entry(name, caller))?.id ?? name;
    try {
      const request = { toolId, input, idempotencyKey: key, projectId, funding, maxCostMicros };
      return resultOfCall(await this.catalogue.call(caller, request), key);
    } catch (thrown) {
      const error = HelixError.from(thrown);
      if (error.code === 'TOOL.UNKNOWN_TOOL') return null;
      // A request that contradicts an earlier one is the client's mistake, not the tool's failure.
      if (error.code === 'CALL.IDEMPOTENCY_MISMATCH' || error.meaning.exposure === 'operator') throw error;
      const fields = (error.fields ?? []).map((field) => ({
        ...field,
        path: field.path.replace(/^\/input/, ''),
      }));
      if (fields.length > 0) return argumentRefusal(name, fields);
      return refusal(`${error.publicMessage.replace(/[.\s]+$/, '')}; nothing was run.`);
    }
  }

  resources(): readonly ResourceOffer[] {
    return [];
  }

  read(): ResourceText | null {
    return null;
  }

  onChange(listener: (change: SourceChange) => void): () => void {
    return this.catalogue.onChange(() => listener({ kind: 'tools' }));
  }

  /** Nearly every id is its own name, and finding one tool is cheaper than listing all. */
  async #entry(name: string, caller: Caller): Promise<CatalogueEntry | null> {
    return (await this.catalogue.find(caller, name)) ?? (await this.#named(caller)).get(name) ?? null;
  }

  /** By name, in the order of names. Ids that become one name are told apart by a hash that stays the same. */
  async #named(caller: Caller): Promise<ReadonlyMap<string, CatalogueEntry>> {
    const entries = [...(await this.catalogue.list(caller))].sort((a, b) => (a.id < b.id ? -1 : 1));
    const taken = new Map<string, number>();
    for (const { id } of entries) {
      const name = sanitizeToolName(id);
      taken.set(name, (taken.get(name) ?? 0) + 1);
    }
    const named = entries.map((entry) => {
      const name = sanitizeToolName(entry.id);
      const isOwn = name === entry.id || taken.get(name) === 1;
      return [isOwn ? name : `${name.slice(0, 119)}_${shortHash(entry.id)}`, entry] as const;
    });
    return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function offerOf(name: string, entry: CatalogueEntry): ToolOffer {
  const { title, description, outputSchema, isReadOnly, isIdempotent } = entry;
  return {
    name,
    title,
    description,
    inputSchema: asObjectSchema(entry.inputSchema ?? {}),
    ...(outputSchema?.['type'] === 'object' ? { outputSchema } : {}),
    annotations: { readOnlyHint: isReadOnly, idempotentHint: isIdempotent },
  };
}

function resultOfCall(outcome: CatalogueOutcome, key: string | null): ToolResult {
  return { ...resultOfStatus(outcome, key), meta: { [callKey]: outcome.callId } };
}

function resultOfStatus(
  { callId, status, resultJson, error }: CatalogueOutcome,
  key: string | null,
): ToolResult {
  switch (status) {
    case 'succeeded':
      return resultOf(new Message(JSON.parse(resultJson ?? 'null') as unknown), false);
    case 'failed':
      return refusal(
        `${error?.message ?? 'The tool failed.'}${error?.retryable ? ' The same call may succeed later.' : ''}`,
      );
    case 'unknown':
      return refusal(`Call ${callId} was started, but its outcome is not known: look before you repeat it.`);
    default: {
      const again = key === null ? '' : ` Call again with the same ${idempotencyKey} for its result.`;
      return refusal(`Call ${callId} is not done yet and goes on.${again}`);
    }
  }
}

/** @throws HelixError `TOOL.INVALID_ARGUMENTS` */
function metaText(meta: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(meta, name) ? meta[name] : undefined;
  if (value === undefined || value === null) return null;
  // NUL and half a surrogate pair cannot be stored as they are.
  if (typeof value === 'string' && /^[^\0\p{Surrogate}]{1,200}$/u.test(value)) return value;
  throw new HelixError(
    'TOOL.INVALID_ARGUMENTS',
    `"_meta" must hold "${name}" as text of 1 to 200 characters.`,
  );
}

/** @throws HelixError `TOOL.INVALID_ARGUMENTS` */
function metaFunding(meta: Readonly<Record<string, unknown>>): CatalogueFunding | null {
  const text = metaText(meta, fundingKey);
  if (text === null || text === 'auto' || text === 'hlix' || text === 'organization') return text;
  throw new HelixError(
    'TOOL.INVALID_ARGUMENTS',
    `"_meta" must hold "${fundingKey}" as auto, hlix or organization.`,
  );
}

/** @throws HelixError `TOOL.INVALID_ARGUMENTS` */
function metaMicros(meta: Readonly<Record<string, unknown>>): number | null {
  const value = Object.hasOwn(meta, budgetKey) ? meta[budgetKey] : undefined;
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new HelixError(
    'TOOL.INVALID_ARGUMENTS',
    `"_meta" must hold "${budgetKey}" as a whole number of USD micros, 0 or more.`,
  );
}

function shortHash(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}
