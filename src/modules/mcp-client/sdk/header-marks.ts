import { isRecord } from '../../../common/engine/model/is-record.js';

const mark = 'x-mcp-header';
const token = /^[\w!#$%&'*+.^`|~-]+$/;
const primitive: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Deeper than any form people write; a schema is not followed without end. */
const mostDepth = 64;

/**
 * What is wrong with the properties that a tool marks with `x-mcp-header`; null where nothing is. (MCP 2026-07-28,
 * "Custom headers from tool parameters": such a tool must not be called.)
 */
export function headerFault(inputSchema: Readonly<Record<string, unknown>>): string | null {
  return faultOf(inputSchema, new Set(), 0);
}

function faultOf(schema: Readonly<Record<string, unknown>>, seen: Set<string>, depth: number): string | null {
  if (depth > mostDepth) return 'its input schema is nested too deeply.';
  const { properties } = schema;
  if (!isRecord(properties)) return null;
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property)) continue;
    const fault = markFault(name, property, seen) ?? faultOf(property, seen, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function markFault(
  name: string,
  property: Readonly<Record<string, unknown>>,
  seen: Set<string>,
): string | null {
  if (!Object.hasOwn(property, mark)) return null;
  const header = property[mark];
  if (typeof header !== 'string' || !token.test(header))
    return `the ${mark} of "${name}" is no name of a header.`;
  if (!primitive.has(property['type'])) return `"${name}" has ${mark} and is no string, integer or boolean.`;
  const lower = header.toLowerCase();
  if (seen.has(lower)) return `two properties have the ${mark} "${header}".`;
  seen.add(lower);
  return null;
}
