import { ref, type Extras, type Field } from '../api/fields/field.js';
import type { StepNode } from '../model/workflow-definition.js';

/** A list of targets, or one. Each is read as the `target` step that it is short for. */
export function targets(sentence: string, { shorthand }: Extras = {}): Field<readonly StepNode[]> {
  return {
    kind: 'targets',
    sentence,
    required: false,
    fallback: [],
    schema: { anyOf: [ref('uri'), { type: 'array', items: ref('uri') }] },
    ...(shorthand ? { shorthand } : {}),
    read: (source) =>
      (source.kind === 'list' ? source.items : [source]).map((body) => ({
        keyword: 'target',
        id: null,
        description: null,
        disabled: false,
        place: body.place,
        body,
      })),
  };
}
