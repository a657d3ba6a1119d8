import { literal, readShape } from '../../engine/api/fields/index.js';
import type { StepType } from '../../engine/api/step-type.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { clauseShape } from '../../engine/error-handlers/exception-clause.js';
import { errorHandlerShape } from '../../engine/error-handlers/read-error-handler.js';
import { interceptionShape } from '../../engine/runtime/interception-shape.js';
import type { SourceNode } from '../../engine/model/source-node.js';
import type { StepNode, UriNode, WorkspaceDefinition } from '../../engine/model/workflow-definition.js';
import { everyStep, type StepOutline } from './outline.js';

/** Problems of a shape are reported where the workflow is built. */
const silent: FieldReader = { problem: () => {}, expression: () => literal(null) };

/** Every list of steps a workspace starts somewhere: tools, workflows, clauses for failures and interceptors. */
export function stepLists(workspace: WorkspaceDefinition): readonly (readonly StepNode[])[] {
  const { tools, workflows } = workspace;
  return [
    ...[...tools, ...workflows].map(({ steps }) => steps),
    ...[workspace, ...workflows].flatMap(({ onException }) => clauseSteps(onException)),
    ...[workspace, ...workflows].flatMap(({ interceptors }) => adviceSteps(interceptors)),
  ];
}

/** Every enabled step of the workspace, those inside others too. */
export function allSteps(workspace: WorkspaceDefinition, types: readonly StepType[]): readonly StepOutline[] {
  return stepLists(workspace).flatMap((steps) => [...everyStep(steps, types)]);
}

/** The steps of each clause of `on-exception`. */
export function clauseSteps(source: SourceNode | null): readonly (readonly StepNode[])[] {
  if (source === null) return [];
  const clauses = source.kind === 'list' ? source.items : [source];
  return clauses.flatMap((clause) => {
    const { steps } = readShape(clause, clauseShape, silent);
    return steps === null ? [] : [steps];
  });
}

/** The steps of each entry of `interceptors`. */
function adviceSteps(source: SourceNode | null): readonly (readonly StepNode[])[] {
  if (source === null) return [];
  return (source.kind === 'list' ? source.items : [source]).flatMap((item) =>
    Object.values(readShape(item, interceptionShape, silent))
      .flat()
      .flatMap(({ steps }) => (steps === null ? [] : [steps])),
  );
}

/** Where an `error-handler` sends what could not be done. */
export function deadLetter(source: SourceNode | null): UriNode | null {
  return source === null ? null : readShape(source, errorHandlerShape, silent)['dead-letter'];
}
