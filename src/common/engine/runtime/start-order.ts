import type { WorkspaceProblem } from '../model/workflow-definition.js';
import { problemOf } from './problems.js';
import type { Workflow } from './workflow.js';

export const isEdge = ({ compiled }: Workflow): boolean => compiled.trigger?.edge === true;

/** In the order written, edges after all others. */
export function inStartOrder(workflows: Iterable<Workflow>): Workflow[] {
  const all = [...workflows];
  return [...all.filter((workflow) => !isEdge(workflow)), ...all.filter(isEdge)];
}

/**
 * Starts inner consumers first and edges last. One that does not start keeps none of the others from trying, so that one
 * report tells all that is wrong.
 */
export async function startEach(workflows: Iterable<Workflow>): Promise<readonly WorkspaceProblem[]> {
  const failures: WorkspaceProblem[] = [];
  const failed = ({ compiled }: Workflow, thrown: unknown): void =>
    void failures.push({ ...problemOf(thrown, compiled.definition.trigger.place), rule: 'start-failed' });
  const built = inStartOrder(workflows).filter((workflow) => {
    try {
      workflow.build();
      return true;
    } catch (thrown) {
      failed(workflow, thrown);
      return false;
    }
  });
  for (const workflow of built) await workflow.start().catch((thrown: unknown) => failed(workflow, thrown));
  return failures;
}
