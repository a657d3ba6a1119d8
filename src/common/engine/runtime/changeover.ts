import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceDefinition } from '../model/workflow-definition.js';
import { bare, sameWorkflow } from './same-workflow.js';
import type { CompiledWorkflow, Workflow } from './workflow.js';

/** How one version of the workspace becomes the next. */
export interface Changeover {
  /** The workflows of the next version, in the order written: kept ones as they run, the others made anew. */
  readonly next: ReadonlyMap<string, Workflow>;
  readonly fresh: readonly Workflow[];
  /** Workflows of the running version that are changed or gone. */
  readonly replaced: readonly Workflow[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: readonly string[];
}

/** @param make a workflow that takes over the counters of the one before it */
export function changeoverOf(
  running: ReadonlyMap<string, Workflow>,
  compiled: readonly CompiledWorkflow[],
  make: (compiled: CompiledWorkflow, before: Workflow | undefined) => Workflow,
): Changeover {
  const next = new Map<string, Workflow>();
  const fresh: Workflow[] = [];
  for (const each of compiled) {
    const { id } = each.info;
    const before = running.get(id);
    if (before !== undefined && sameWorkflow(before.compiled.written, each.written)) {
      next.set(id, before);
      continue;
    }
    const made = make(each, before);
    next.set(id, made);
    fresh.push(made);
  }
  const ids = (wanted: (id: string) => boolean): string[] => [...next.keys()].filter(wanted);
  const isKept = (id: string): boolean => next.get(id) === running.get(id);
  return {
    next,
    fresh,
    replaced: [...running.values()].filter(({ id }) => !isKept(id)),
    added: ids((id) => !running.has(id)),
    changed: ids((id) => running.has(id) && !isKept(id)),
    removed: [...running.keys()].filter((id) => !next.has(id)),
    unchanged: ids(isKept),
  };
}

/** Whether what is no workflow (tools, connections, …) says the same in both. */
export function sameSurroundings(one: WorkspaceDefinition, other: WorkspaceDefinition): boolean {
  return isDeepStrictEqual(surroundings(one), surroundings(other));
}

function surroundings({ tools, sections }: WorkspaceDefinition): unknown {
  return [
    tools.map(({ definition }) => definition),
    [...sections].map(([name, nodes]) => [name, nodes.map(bare)]),
  ];
}
