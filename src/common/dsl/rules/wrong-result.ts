import { outputJsonSchema } from '../../engine/model/field-schema.js';
import { entry, type SourceNode } from '../../engine/model/source-node.js';
import type { StepNode } from '../../engine/model/workflow-definition.js';
import { EndpointUri } from '../../engine/model/endpoint-uri.js';
import { checkOf, misfits } from './fit.js';
import { outline } from './outline.js';
import type { Rule, RuleContext } from './rule.js';

/** Steps after which the body is what it was. */
const leavesBody: ReadonlySet<string> = new Set([
  'log',
  'set-header',
  'set-headers',
  'remove-header',
  'remove-headers',
  'set-property',
  'wire-tap',
  'delay',
  'throttle',
  'stop',
]);

export const wrongResult: Rule = {
  id: 'wrong-result',
  sentence: 'A result that is written out is what the output schema says.',
  check(context) {
    for (const { schema, steps, owner } of results(context)) {
      const check = checkOf(schema, context.schemas);
      if (check === null) continue;
      for (const body of constants(steps, context)) {
        for (const { place, message } of misfits(body, check)) {
          context.warning(
            place,
            `This result of ${owner} is not what its output says: ${message}. Correct the value or the output.`,
          );
        }
      }
    }
  },
};

interface Result {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly steps: readonly StepNode[];
  /** Such as `the tool "weather"`. */
  readonly owner: string;
}

/** Lists of steps whose last body is promised to somebody, with the promise. */
function* results({ workspace: { tools, workflows } }: RuleContext): Generator<Result> {
  const promised = new Map(
    tools
      .filter(({ definition: { output, outputSchema } }) => outputSchema ?? Object.keys(output).length > 0)
      .map((tool) => [tool.definition.id, tool]),
  );
  for (const { definition, steps } of promised.values())
    yield { schema: outputJsonSchema(definition), steps, owner: `the tool "${definition.id}"` };
  for (const { id, trigger, outputSchema, steps } of workflows) {
    if (outputSchema !== null) yield { schema: outputSchema, steps, owner: `the workflow "${id}"` };
    const tool = /^\s*tool:/i.test(trigger.uri) ? promised.get(pathOf(trigger.uri)) : undefined;
    if (tool)
      yield {
        schema: outputJsonSchema(tool.definition),
        steps,
        owner: `the tool "${tool.definition.id}"`,
      };
  }
}

function pathOf(uri: string): string {
  try {
    return EndpointUri.parse(uri).path;
  } catch {
    // Told where the workflow is built.
    return '';
  }
}

/** The literals that the steps can end with, in every branch of a choice that is their last step. */
function* constants(steps: readonly StepNode[], context: RuleContext): Generator<SourceNode> {
  const last = steps.findLast(({ keyword, disabled }) => !disabled && !leavesBody.has(keyword));
  if (last?.keyword === 'choice') {
    for (const block of outline(last, context.steps).blocks) yield* constants(block, context);
  }
  if (last?.keyword !== 'set-body') return;
  const { body } = last;
  const literal = body.kind === 'map' ? entry(body, 'value') : body;
  if (literal) yield literal;
}
