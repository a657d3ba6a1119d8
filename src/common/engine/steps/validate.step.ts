import * as fields from '../api/fields/index.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError, type FieldProblem } from '../errors/helix-error.js';
import type { StepNode } from '../model/workflow-definition.js';

const shape = {
  rule: fields.predicate('A script that must give true.', { inline: true, shorthand: true, optional: true }),
  schema: fields.any('A JSON Schema that the body must match.'),
  message: fields.text('What to tell whoever sent the message where the rule is broken.', null),
};

type Check = (value: unknown) => readonly FieldProblem[];

export class ValidateStep extends StepType {
  readonly keyword = 'validate';
  readonly description = 'Fails where the message is not what is expected.';
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { rule, schema, message } = build.read(node, shape);
    if (rule === null && schema === undefined) {
      build.problem({
        severity: 'error',
        rule: 'missing-key',
        message: 'Say what is expected: a schema, or a script that must give true.',
        place: node.place,
      });
    }
    const check = schema === undefined ? null : compileSchema(schema, node, build);
    return (exchange) => {
      const problems = check?.(exchange.body) ?? [];
      const [first] = problems;
      if (first !== undefined) {
        const place = first.path === '' ? 'the body' : first.path;
        throw new HelixError('ENGINE.INVALID_MESSAGE', message ?? `${place}: ${first.message}`, {
          fields: problems,
        });
      }
      if (rule === null || rule(exchange)) return;
      throw new HelixError('ENGINE.INVALID_MESSAGE', message ?? 'The message breaks a rule of the workflow.');
    };
  }
}

function compileSchema(schema: unknown, node: StepNode, build: RouteBuilder): Check | null {
  const problem = (message: string): null => {
    build.problem({ severity: 'error', rule: 'wrong-schema', message, place: node.place });
    return null;
  };
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return problem('A JSON Schema is a map such as { type: object, properties: … }.');
  if (build.validator === null)
    return problem('The schema cannot be checked: this engine has no schema validator.');
  try {
    return build.validator.compile(schema as Readonly<Record<string, unknown>>);
  } catch (thrown) {
    return problem(`This is no JSON Schema: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
