import { setImmediate } from 'node:timers/promises';
import type { McpSource } from '../../../../common/dsl/index.js';
import type { HelixLog } from '../../../../common/platform/logging/helix-log.js';
import type { ForeignSchemaValidator } from '../../../../common/platform/schema/foreign-schema-validator.js';
import type { ToolList } from '../../../mcp-client/index.js';
import { ToolIndex } from '../../search/tool-index.js';
import type { CatalogueTool } from '../../tool-descriptor.js';
import { matchesPattern } from '../matches-pattern.js';
import { type ListedTool, readTool } from './mcp-tool.js';
import type { ToolPins } from './tool-pins.js';

/** The tools of one look at a server. */
export interface McpListing {
  readonly byId: ReadonlyMap<string, ListedTool>;
  readonly index: ToolIndex;
  /** False where the server may have more than were read, so that nobody knows how many match. */
  readonly isWhole: boolean;
  /** Tells whether two listings are the same. */
  readonly fingerprint: string;
}

export interface ListingInit {
  readonly source: McpSource;
  readonly validator: ForeignSchemaValidator;
  readonly pins: ToolPins;
  readonly log: HelixLog;
}

/** So many problems are logged one by one. */
const mostTold = 20;
/** Tools between two breaths of the event loop. */
const breath = 10;

/** Judges each tool by itself: what is wrong with one is told in the log and leaves the others in place. */
export async function makeListing({ tools, cut }: ToolList, init: ListingInit): Promise<McpListing> {
  const { source, log } = init;
  const byId = new Map<string, ListedTool>();
  const problems: string[] = cut === null ? [] : [cut];
  for (const [place, raw] of tools.entries()) {
    if (place % breath === breath - 1) await setImmediate();
    const listed = read(redacted(raw, log), init);
    if (typeof listed === 'string') problems.push(`${nameOf(raw, place)}: ${listed}`);
    else if (listed !== null && byId.has(listed.tool.id))
      problems.push(`${listed.name}: the name stands twice, and the first one counts`);
    else if (listed !== null) {
      if (listed.remark !== null) problems.push(`${listed.name}: ${listed.remark}`);
      byId.set(listed.tool.id, pinned(listed, init));
    }
  }
  for (const problem of problems.slice(0, mostTold))
    log.write('warn', 'A tool of an MCP server is left out, or not as the server says.', {
      source: `mcp:${source.name}`,
      problem,
    });
  if (problems.length > mostTold)
    log.write('warn', 'More tools of an MCP server have problems.', {
      source: `mcp:${source.name}`,
      more: problems.length - mostTold,
    });
  const found = [...byId.values()].map(({ tool }) => tool);
  return {
    byId,
    index: await ToolIndex.ofMany(found),
    isWhole: cut === null,
    fingerprint: JSON.stringify(found),
  };
}

function read(raw: unknown, { source, validator }: ListingInit): ListedTool | string | null {
  const listed = readTool(raw, source, validator);
  if (typeof listed === 'string') return listed;
  const { include, exclude } = source;
  const isWanted =
    (include.length === 0 || matchesPattern(listed.name, include)) && !matchesPattern(listed.name, exclude);
  return isWanted ? listed : null;
}

function pinned(listed: ListedTool, { source, pins, log }: ListingInit): ListedTool {
  if (source.pin === 'off' || !pins.hasChanged(listed.tool)) return listed;
  log.write('warn', 'The definition of a pinned tool has changed.', {
    source: `mcp:${source.name}`,
    tool: listed.name,
    blocked: source.pin === 'block',
  });
  const statusNote = 'Its definition has changed since it was first seen.';
  const status: CatalogueTool['status'] = source.pin === 'block' ? 'blocked' : 'available';
  return { ...listed, tool: { ...listed.tool, status, statusNote } };
}

/** A server may repeat the token that it is asked with. */
function redacted(raw: unknown, log: HelixLog): unknown {
  return JSON.parse(log.secrets.redact(JSON.stringify(raw ?? null))) as unknown;
}

function nameOf(raw: unknown, place: number): string {
  const { name } = (raw ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name.slice(0, 64) : `number ${place + 1}`;
}
