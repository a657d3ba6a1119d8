import { entry, plain, type MapNode, type SourceNode } from '../../engine/model/source-node.js';
import { origins } from '../origins.js';
import type { RuleContext } from './rule.js';
import { allSteps } from './step-lists.js';

/** Keywords whose value is a schema or a list of schemas. */
export const schemaKeys = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'contentSchema',
];
/** Keywords whose value is a map from the author's names to schemas. */
export const mapKeys = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Every JSON Schema that the workspace writes out: of tools, of workflows, of `validate` steps. */
export function everySchema({ workspace, steps }: RuleContext): readonly SourceNode[] {
  const owners = [...workspace.tools.map(({ definition }) => definition), ...workspace.workflows];
  const ofOwners = owners.flatMap((owner) => {
    const origin = origins.get(owner);
    return origin?.kind === 'map'
      ? [entry(origin, 'input-schema'), entry(origin, 'output-schema')].filter((node) => node !== undefined)
      : [];
  });
  const ofSteps = allSteps(workspace, steps).flatMap(({ step: { keyword, body } }) =>
    keyword === 'validate' && body.kind === 'map' ? (entry(body, 'schema') ?? []) : [],
  );
  return [...ofOwners, ...ofSteps];
}

/** The schema and every one inside it, outermost first. */
export function* subschemas(node: SourceNode): Generator<MapNode> {
  if (node.kind === 'list') for (const item of node.items) yield* subschemas(item);
  if (node.kind !== 'map') return;
  yield node;
  for (const { key, value } of node.entries) {
    if (schemaKeys.includes(key)) yield* subschemas(value);
    else if (mapKeys.includes(key) && value.kind === 'map') {
      for (const inner of value.entries) yield* subschemas(inner.value);
    }
  }
}

/** A schema inside another as one of its own, with what its references may name. */
export function standalone(inner: MapNode, root: SourceNode): Readonly<Record<string, unknown>> {
  const around = root.kind === 'map' ? root.entries : [];
  const shared = around
    .filter(({ key }) => key === '$defs' || key === 'definitions' || key === '$schema')
    .map(({ key, value }) => [key, plain(value)] as const);
  return { ...Object.fromEntries(shared), ...(plain(inner) as Record<string, unknown>) };
}
