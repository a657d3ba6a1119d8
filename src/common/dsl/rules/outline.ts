import { literal, readShape } from '../../engine/api/fields/index.js';
import type { StepType } from '../../engine/api/step-type.js';
import type { Place } from '../../engine/model/source-node.js';
import type { StepNode, UriNode } from '../../engine/model/workflow-definition.js';

export interface ScriptText {
  readonly source: string;
  readonly place: Place;
}

/** What a step holds, read by the shape of its type. */
export interface StepOutline {
  readonly step: StepNode;
  readonly type: StepType | undefined;
  /** Its fields by name, scripts left out. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly targets: readonly UriNode[];
  readonly scripts: readonly ScriptText[];
  /** The lists of steps inside it. */
  readonly blocks: readonly (readonly StepNode[])[];
}

export function outline(step: StepNode, types: readonly StepType[]): StepOutline {
  const type = types.find(
    ({ keyword, aliases }) => keyword === step.keyword || aliases.includes(step.keyword),
  );
  const scripts: ScriptText[] = [];
  const targets: UriNode[] = [];
  const blocks: (readonly StepNode[])[] = [];
  if (!type) return { step, type, values: {}, targets, scripts, blocks };
  const values = readShape(step.body, type.shape, {
    expression: (source, place) => {
      scripts.push({ source, place });
      return literal(null);
    },
    // Problems of the shape are reported where the workflow is built.
    problem: () => {},
  });
  const visit = (value: unknown): void => {
    if (isStepList(value)) blocks.push(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (isUri(value)) targets.push(value);
    else if (typeof value === 'object' && value !== null && !(value instanceof Map))
      Object.values(value).forEach(visit);
  };
  visit(values);
  return { step, type, values, targets, scripts, blocks };
}

/** Every enabled step below the list, with the steps inside it, depth first. */
export function* everyStep(steps: readonly StepNode[], types: readonly StepType[]): Generator<StepOutline> {
  for (const step of steps) {
    if (step.disabled) continue;
    const found = outline(step, types);
    yield found;
    for (const block of found.blocks) yield* everyStep(block, types);
  }
}

/** A field that is text, as a list of one; an empty list where it is none. */
export function textOf({ values }: StepOutline, key: string): readonly string[] {
  const value = values[key];
  return typeof value === 'string' && value !== '' ? [value] : [];
}

const computing: ReadonlySet<string> = new Set(['recipient-list', 'multicast', 'wire-tap', 'enrich']);

/** Whether a script computes where the step sends. */
export function isComputed({ step, targets, scripts }: StepOutline): boolean {
  return computing.has(step.keyword) && targets.length === 0 && scripts.length > 0;
}

function isStepList(value: unknown): value is readonly StepNode[] {
  return Array.isArray(value) && value.length > 0 && value.every(isStep);
}

function isStep(value: unknown): value is StepNode {
  return (
    typeof value === 'object' && value !== null && 'keyword' in value && 'body' in value && 'place' in value
  );
}

function isUri(value: unknown): value is UriNode {
  return (
    typeof value === 'object' && value !== null && 'uri' in value && 'secrets' in value && 'place' in value
  );
}
