import { literal, readShape } from '../../common/engine/api/fields/index.js';
import type { FieldReader } from '../../common/engine/api/route-builder.js';
import type { StepType } from '../../common/engine/api/step-type.js';
import { clauseShape } from '../../common/engine/error-handlers/exception-clause.js';
import type { Place, SourceNode } from '../../common/engine/model/source-node.js';
import type { StepNode, WorkspaceDefinition } from '../../common/engine/model/workflow-definition.js';
import { interceptionShape } from '../../common/engine/runtime/interception-shape.js';

export const coverageKinds = ['workflow', 'step', 'branch', 'error-clause'] as const;

/** Something a test may run. */
export interface CoveragePoint {
  readonly kind: (typeof coverageKinds)[number];
  /** Null: of the whole workspace. */
  readonly workflowId: string | null;
  /** `choice when[0]`, `on-exception MCP.*`. */
  readonly name: string;
  readonly place: Place;
  /** Run once any of these is: its own, or of a branch the first steps in it. */
  readonly places: readonly Place[];
}

/** Problems of a shape are reported where the workspace is checked. */
const silent: FieldReader = { problem: () => {}, expression: () => literal(null) };

/** Branches that are taken where something failed. */
const ofErrors = /^(catch|on-fallback)\b/;

/** Everything of a workspace that its tests may run. Disabled workflows and steps, and empty branches, do not count. */
export function coveragePoints(
  workspace: WorkspaceDefinition,
  types: readonly StepType[],
): readonly CoveragePoint[] {
  const found: CoveragePoint[] = [];
  const walk = (workflowId: string | null, steps: readonly StepNode[]): void => {
    for (const step of steps) {
      if (step.disabled) continue;
      const { place, keyword } = step;
      found.push({ kind: 'step', workflowId, name: step.id ?? keyword, place, places: [place] });
      for (const { name, inner } of branchesOf(step, types)) {
        const first = inner.find(({ disabled }) => !disabled);
        if (!first) continue;
        const kind = ofErrors.test(name) ? 'error-clause' : 'branch';
        found.push({
          kind,
          workflowId,
          name: `${keyword} ${name}`,
          place: first.place,
          places: [first.place],
        });
        walk(workflowId, inner);
      }
    }
  };
  const policies = (
    workflowId: string | null,
    { onException, interceptors }: Pick<WorkspaceDefinition, 'onException' | 'interceptors'>,
  ): void => {
    for (const clause of itemsOf(onException)) {
      const { match, steps } = readShape(clause, clauseShape, silent);
      const name = `on-exception ${match.length > 0 ? match.join(', ') : '(any)'}`;
      const { place } = clause;
      found.push({ kind: 'error-clause', workflowId, name, place, places: [place] });
      walk(workflowId, steps ?? []);
    }
    for (const item of itemsOf(interceptors)) {
      const advices = Object.values(readShape(item, interceptionShape, silent)).flat();
      for (const { steps } of advices) walk(workflowId, steps ?? []);
    }
  };
  const workflow = (id: string, place: Place, steps: readonly StepNode[]): void => {
    // Without steps there is nothing to run: an mcp-server only exposes others.
    if (steps.length > 0) found.push({ kind: 'workflow', workflowId: id, name: id, place, places: [place] });
    walk(id, steps);
  };
  for (const { definition, place, steps } of workspace.tools) {
    workflow(definition.id, place, steps);
  }
  for (const each of workspace.workflows) {
    if (each.disabled) continue;
    workflow(each.id, each.place, each.steps);
    policies(each.id, each);
  }
  policies(null, workspace);
  return found;
}

/** The lists of steps inside a step, each with the way to it: `when[0]`, `otherwise`, `catch[1]`. */
function branchesOf(
  step: StepNode,
  types: readonly StepType[],
): readonly { name: string; inner: readonly StepNode[] }[] {
  const type = types.find(
    ({ keyword, aliases }) => keyword === step.keyword || aliases.includes(step.keyword),
  );
  if (!type) return [];
  const found: { name: string; inner: readonly StepNode[] }[] = [];
  const visit = (value: unknown, name: string): void => {
    if (isSteps(value)) found.push({ name: name.replace(/\.steps$/, ''), inner: value });
    else if (Array.isArray(value)) value.forEach((item, at) => visit(item, `${name}[${at}]`));
    else if (typeof value === 'object' && value !== null && !(value instanceof Map) && !('kind' in value)) {
      for (const [key, item] of Object.entries(value)) visit(item, name === '' ? key : `${name}.${key}`);
    }
  };
  visit(readShape(step.body, type.shape, silent), '');
  return found;
}

function isSteps(value: unknown): value is readonly StepNode[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (item) =>
        typeof item === 'object' && item !== null && 'keyword' in item && 'body' in item && 'place' in item,
    )
  );
}

function itemsOf(source: SourceNode | null): readonly SourceNode[] {
  if (source === null) return [];
  return source.kind === 'list' ? source.items : [source];
}
