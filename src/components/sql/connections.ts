import { closest } from '../../common/engine/api/options.js';
import { entry, type MapEntry, type SourceNode } from '../../common/engine/model/source-node.js';
import type { WorkspaceDefinition, WorkspaceProblem } from '../../common/engine/model/workflow-definition.js';
import type { SqlConnection } from './sql-caller.js';

const keys = ['url', 'pool-size'];
const usualPoolSize = 10;

type Report = (problem: WorkspaceProblem) => void;

/**
 * The PostgreSQL databases of the section `connections`, by name: `{ url: ${ORDERS_URL}, pool-size: 10 }`. Connections to
 * other things are left to others. What is wrong is reported and left out.
 */
export function readConnections(
  { sections }: WorkspaceDefinition,
  report: Report,
): ReadonlyMap<string, SqlConnection> {
  const found = new Map<string, SqlConnection>();
  for (const section of sections.get('connections') ?? []) {
    if (section.kind !== 'map') {
      report(problem(section, 'wrong-value', 'The section "connections" is a map from name to connection.'));
      continue;
    }
    for (const written of section.entries) {
      const connection = readConnection(written, report);
      if (connection === null) continue;
      if (found.has(connection.name)) {
        report(
          problem(
            written,
            'duplicate-id',
            `The connection "${connection.name}" stands twice: choose another name.`,
          ),
        );
      }
      found.set(connection.name, connection);
    }
  }
  return found;
}

function readConnection({ key: name, value }: MapEntry, report: Report): SqlConnection | null {
  const url = value.kind === 'map' ? entry(value, 'url') : undefined;
  if (value.kind !== 'map' || url?.kind !== 'scalar' || typeof url.value !== 'string') {
    report(
      problem(
        value,
        'wrong-value',
        `The connection "${name}" needs a "url", such as postgres://host/database.`,
      ),
    );
    return null;
  }
  if (!/^postgres(ql)?:\/\//i.test(url.value)) return null;
  for (const { key, place } of value.entries) {
    if (keys.includes(key)) continue;
    const hint = closest(key, keys);
    report({
      severity: 'error',
      rule: 'unknown-key',
      message: `A connection has no "${key}"${hint ? `; did you mean "${hint}"?` : `; it knows ${keys.join(', ')}.`}`,
      place,
      ...(hint ? { suggestion: hint } : {}),
    });
  }
  if (!url.secret && hasPassword(url.value)) {
    report({
      ...problem(
        url,
        'written-secret',
        `The password of the connection "${name}" stands in the file: take it from a variable.`,
      ),
      severity: 'warning',
    });
  }
  return { name, url: url.value, poolSize: readPoolSize(name, entry(value, 'pool-size'), report) };
}

function readPoolSize(name: string, node: SourceNode | undefined, report: Report): number {
  if (node === undefined) return usualPoolSize;
  const size = node.kind === 'scalar' ? Number(node.value) : NaN;
  if (Number.isInteger(size) && size >= 1 && size <= 1000) return size;
  report(
    problem(
      node,
      'wrong-value',
      `"pool-size" of the connection "${name}" must be a whole number from 1 to 1000.`,
    ),
  );
  return usualPoolSize;
}

function hasPassword(url: string): boolean {
  try {
    const { password, searchParams } = new URL(url);
    return password !== '' || searchParams.has('password');
  } catch {
    return false;
  }
}

function problem({ place }: Pick<SourceNode, 'place'>, rule: string, message: string): WorkspaceProblem {
  return { severity: 'error', rule, message, place };
}
