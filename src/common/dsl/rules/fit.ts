import type { SchemaValidator } from '../../engine/api/ports.js';
import type { FieldProblem } from '../../engine/errors/helix-error.js';
import { entry, plain, type Place, type SourceNode } from '../../engine/model/source-node.js';

export interface Misfit {
  readonly place: Place;
  /** Such as `/user/age must be integer`; the value itself is not told. */
  readonly message: string;
}

export type SchemaCheck = ReturnType<SchemaValidator['compile']>;

/** Null for what is no schema, or refers to what cannot be seen here: `wrong-schema` tells that where it matters. */
export function checkOf(
  schema: Readonly<Record<string, unknown>>,
  schemas: SchemaValidator,
): SchemaCheck | null {
  try {
    return schemas.compile(schema);
  } catch {
    return null;
  }
}

/**
 * What the check refuses in a value that is written in the workspace, each at the part that is wrong; where a part is
 * missing, at what it is missing in. A value that holds a variable is not judged: it may be another elsewhere.
 */
export function misfits(value: SourceNode, check: SchemaCheck): readonly Misfit[] {
  if (holdsVariable(value)) return [];
  return problemsOf(plain(value), check).map(({ path, message }) => ({
    place: nodeAt(value, path).place,
    message: `${path === '' ? 'it' : path} ${message}`,
  }));
}

/** Text that is refused as text may stand for the JSON it holds. */
function problemsOf(value: unknown, check: SchemaCheck): readonly FieldProblem[] {
  const problems = check(value);
  if (problems.length === 0 || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return problems;
  try {
    return check(JSON.parse(value));
  } catch {
    return problems;
  }
}

function holdsVariable(node: SourceNode): boolean {
  if (node.kind === 'scalar') return node.secret || node.written !== undefined;
  if (node.kind === 'list') return node.items.some(holdsVariable);
  return node.entries.some(({ value }) => holdsVariable(value));
}

/** The node a JSON Pointer (RFC 6901) names, or the last one on the way there. */
function nodeAt(root: SourceNode, pointer: string): SourceNode {
  let node = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const inner =
      node.kind === 'map' ? entry(node, key) : node.kind === 'list' ? node.items[Number(key)] : undefined;
    if (inner === undefined) return node;
    node = inner;
  }
  return node;
}
