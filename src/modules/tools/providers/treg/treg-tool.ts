import type { JsonSchema } from '../../../../common/engine/api/workflow-directory.js';
import type { ToolPricing } from '../../../../common/engine/model/tool-definition.js';
import type { TregEndpoint, TregField } from '../../../treg/index.js';
import type { CatalogueTool } from '../../tool-descriptor.js';

export const prefix = 'treg:';
/** What Treg itself buffers of an answer, in bytes. */
const maxResultBytes = 8 * 1024 * 1024;
/** Some of its tools work for minutes. */
const timeoutMs = 200_000;

/** An endpoint of Treg as a tool: its input has the sections `path`, `query` and `body` of the request. */
export function toolOf(endpoint: TregEndpoint): CatalogueTool {
  const { id, name, summary, method, input, docsUrl } = endpoint;
  return {
    id: `${prefix}${id}`,
    provider: 'treg',
    origin: 'upstream',
    name,
    summary,
    description: input.note === null ? summary : `${summary}\n\n${input.note}`,
    inputSchema: inputSchemaOf(endpoint),
    outputSchema: null,
    policy: {
      timeoutMs,
      maxResultBytes,
      sideEffects: method === 'GET' || method === 'HEAD' ? 'read' : 'unknown',
      redispatch: 'with_upstream_key',
      requiresProject: false,
    },
    pricing: { ...pricingOf(endpoint), accountingService: 'treg' },
    ...statusOf(endpoint),
    docsUrl,
  };
}

function inputSchemaOf({ input }: TregEndpoint): JsonSchema {
  const sections = { path: input.path, query: input.query, body: input.body };
  const used = Object.entries(sections).filter(([, fields]) => Object.keys(fields).length > 0);
  const required = used
    .filter(([, fields]) => Object.values(fields).some(({ isRequired }) => isRequired))
    .map(([section]) => section);
  return {
    type: 'object',
    properties: Object.fromEntries(
      used.map(([section, fields]) => [section, sectionSchema(fields, section !== 'body')]),
    ),
    required,
    additionalProperties: false,
  };
}

/** What stands in an address is text in the end, so numbers and booleans may come as text. */
function sectionSchema(fields: Readonly<Record<string, TregField>>, isInAddress: boolean): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field, isInAddress)])),
    required: entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
    additionalProperties: false,
  };
}

const simpleTypes: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'object']);

/** A type that is not known lets everything through: Treg judges it. */
function fieldSchema({ type, note, allowed, example }: TregField, isInAddress: boolean): JsonSchema {
  const item = /^array\[(\w+)\]$/.exec(type ?? '')?.[1];
  const values = allowed === null ? {} : { enum: [...allowed] };
  const described = {
    ...(note === null ? {} : { description: note }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
  if (type === 'array' || item !== undefined) {
    const items = { ...typed(item ?? null, false), ...values };
    const list = { type: 'array', ...(Object.keys(items).length > 0 ? { items } : {}) };
    return { ...(isInAddress ? { anyOf: [list, { type: 'string' }] } : list), ...described };
  }
  return { ...typed(type, isInAddress), ...values, ...described };
}

function typed(type: string | null, isInAddress: boolean): JsonSchema {
  if (type === null || !simpleTypes.has(type)) return {};
  return { type: isInAddress && type !== 'string' ? [type, 'string'] : type };
}

function pricingOf({ cost }: TregEndpoint): ToolPricing {
  const estimateMicros = cost.usd === null ? null : Math.ceil(Math.round(cost.usd * 1e9) / 1e3);
  const models = {
    free: 'free',
    per_call: 'per_call',
    per_success: 'per_success',
    per_result: 'per_result',
  } as const;
  const model = Object.hasOwn(models, cost.type) ? models[cost.type as keyof typeof models] : 'unknown';
  // A price per result is of one result: how many there will be nobody knows before.
  const note = model === 'per_result' ? 'The estimate is for one result.' : null;
  return { model, micros: null, estimateMicros: model === 'free' ? 0 : estimateMicros, note };
}

function statusOf({ status, statusNote }: TregEndpoint): Pick<CatalogueTool, 'status' | 'statusNote'> {
  if (status === '' || /^(?:active|live|ok|available|beta)$/i.test(status))
    return { status: 'available', statusNote };
  return { status: /block|broken|disabled/i.test(status) ? 'blocked' : 'retired', statusNote };
}
