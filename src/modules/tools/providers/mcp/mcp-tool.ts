import { isRecord } from '../../../../common/engine/model/is-record.js';
import type { JsonSchema } from '../../../../common/engine/api/workflow-directory.js';
import type { McpSource } from '../../../../common/dsl/index.js';
import type { ForeignSchemaValidator } from '../../../../common/platform/schema/foreign-schema-validator.js';
import { asObjectSchema } from '../../../../components/mcp-server/tool-schema.js';
import { type CatalogueTool, unknownPrice } from '../../tool-descriptor.js';

const maxResultBytes = 1024 * 1024;
const longestSummary = 200;
const longestDescription = 16_384;
/** Larger definitions are not read, in characters of JSON; deeper ones neither. */
const largestDefinition = 262_144;
const deepest = 64;
/** As the protocol has them, and a little beyond what it recommends; an id of a tool stands in addresses. */
const nameForm = /^[A-Za-z0-9_.:/@-]{1,128}$/;

/** A tool of an MCP server that can be called. */
export interface ListedTool {
  /** As the server calls it. */
  readonly name: string;
  readonly tool: CatalogueTool;
  /** What was told of it beyond its place in a schema: left out, or corrected. */
  readonly remark: string | null;
}

/**
 * One entry of `tools/list` as a tool of the catalogue.
 * @returns why it is left out, where it cannot be called
 */
export function readTool(
  raw: unknown,
  { name: source, prefix, timeoutMs, redispatch }: McpSource,
  validator: ForeignSchemaValidator,
): ListedTool | string {
  if (!isRecord(raw) || typeof raw['name'] !== 'string') return 'it has no name';
  const { name } = raw as { name: string };
  if (!nameForm.test(name)) return 'its name has other characters than letters, digits and _ . : / @ -';
  if (depthOf(raw) > deepest) return `its definition is nested more than ${deepest} deep`;
  if (JSON.stringify(raw).length > largestDefinition) return 'its definition is larger than 256 KiB';
  if (!isRecord(raw['inputSchema'])) return 'it has no inputSchema';
  const inputSchema = asObjectSchema(raw['inputSchema']);
  const refusal = refusalOf(inputSchema, validator);
  if (refusal !== null) return `its inputSchema cannot be used: ${refusal}`;
  const output = isRecord(raw['outputSchema']) ? raw['outputSchema'] : null;
  const outputRefusal = output === null ? null : refusalOf(output, validator);
  const annotations = isRecord(raw['annotations']) ? raw['annotations'] : {};
  const isReading = annotations['readOnlyHint'] === true;
  const isRepeatable = isReading || annotations['idempotentHint'] === true;
  const provider = `mcp:${source}`;
  const description = textOf(raw['description'])?.slice(0, longestDescription) ?? null;
  const title = textOf(raw['title']) ?? textOf(annotations['title']) ?? name;
  return {
    name,
    remark: outputRefusal === null ? null : `its outputSchema is left out: ${outputRefusal}`,
    tool: {
      id: `${provider}:${prefix}${name}`,
      provider,
      origin: 'upstream',
      name: title.slice(0, longestSummary),
      summary: (description ?? title).trim().split('\n', 1).join('').slice(0, longestSummary),
      description,
      inputSchema,
      outputSchema: outputRefusal === null ? output : null,
      policy: {
        timeoutMs,
        maxResultBytes,
        sideEffects: isReading ? 'read' : annotations['readOnlyHint'] === false ? 'write' : 'unknown',
        redispatch: redispatch === 'hints' ? (isRepeatable ? 'safe' : 'never') : redispatch,
        requiresProject: false,
      },
      pricing: unknownPrice(provider),
      status: 'available',
      statusNote: null,
      docsUrl: null,
    },
  };
}

function refusalOf(schema: JsonSchema, validator: ForeignSchemaValidator): string | null {
  try {
    validator.accept(schema);
    return null;
  } catch (thrown) {
    return (thrown as Error).message.slice(0, longestSummary);
  }
}

/** Without recursion: a definition may be as deep as a message is long. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; ; depth++) {
    const inner = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (inner.length === 0 || depth > deepest) return depth;
    level = inner;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
