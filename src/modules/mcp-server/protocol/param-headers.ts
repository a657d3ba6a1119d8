import { isRecord } from '../../../common/engine/model/is-record.js';
import type { ToolSource } from '../../../components/mcp-server/tool-source.js';
import type { JsonSchema } from '../../../common/engine/api/workflow-directory.js';
import type { Asked } from './methods.js';
import { decodeHeader } from './modern-headers.js';

/** An argument that a tool wants repeated as `Mcp-Param-<header>` (`x-mcp-header` in its schema, SEP-2243). */
interface Mirrored {
  readonly header: string;
  readonly path: readonly string[];
}

const known = new WeakMap<JsonSchema, readonly Mirrored[]>();

/** Why the `Mcp-Param-*` headers of a call do not repeat its arguments, or null where they do. */
export async function paramHeaderProblem(
  source: ToolSource,
  { caller, params }: Asked,
  method: string,
  header: (name: string) => string | undefined,
): Promise<string | null> {
  const tool = params['name'];
  if (method !== 'tools/call' || typeof tool !== 'string') return null;
  const found = source.find(tool, caller);
  const offer = found instanceof Promise ? await found : found;
  if (!offer) return null;
  for (const { header: name, path } of mirroredIn(offer.inputSchema)) {
    const argument = valueAt(params['arguments'], path);
    const raw = header(`mcp-param-${name.toLowerCase()}`);
    const isMissing = argument === undefined || argument === null;
    if (isMissing && raw === undefined) continue;
    const shown = decodeHeader(raw);
    if (isMissing || shown === undefined || !saysSame(shown, argument)) {
      return `The header Mcp-Param-${name} must repeat the argument "${path.join('.')}".`;
    }
  }
  return null;
}

function mirroredIn(schema: JsonSchema): readonly Mirrored[] {
  let mirrored = known.get(schema);
  if (!mirrored) known.set(schema, (mirrored = [...walk(schema, [])]));
  return mirrored;
}

/** Only what is reached through `properties` alone counts: anything else may or may not apply to a call. */
function* walk(schema: JsonSchema, path: readonly string[]): Generator<Mirrored> {
  const { properties } = schema;
  if (!isRecord(properties) || path.length > 8) return;
  for (const [name, property] of Object.entries(properties)) {
    if (!isRecord(property)) continue;
    const header = property['x-mcp-header'];
    if (typeof header === 'string' && /^[\w-]{1,64}$/.test(header)) yield { header, path: [...path, name] };
    yield* walk(property, [...path, name]);
  }
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function saysSame(shown: string, argument: unknown): boolean {
  if (typeof argument === 'number')
    return /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(shown) && Number(shown) === argument;
  return (typeof argument === 'string' || typeof argument === 'boolean') && shown === String(argument);
}
