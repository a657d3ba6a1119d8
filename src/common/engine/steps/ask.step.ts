import * as fields from '../api/fields/index.js';
import type { ShapeValues } from '../api/fields/index.js';
import type { Expression } from '../api/expression.js';
import type { Processor } from '../api/processor.js';
import type { RouteBuilder } from '../api/route-builder.js';
import { StepType } from '../api/step-type.js';
import { HelixError, type FieldProblem } from '../errors/helix-error.js';
import type { AskedQuestion, Question } from '../model/caller-link.js';
import { journey, type Exchange } from '../model/exchange.js';
import type { StepNode } from '../model/workflow-definition.js';

const questionShape = {
  message: fields.expression('What a person is asked, with schema or url.', { optional: true }),
  schema: fields.any('The form: a JSON Schema of type object whose properties are plain fields.'),
  url: fields.expression('A page the person is sent to instead of a form.', { optional: true }),
  sample: fields.expression("What the caller's own model is asked: a text, or a list of { role, content }.", {
    optional: true,
  }),
  system: fields.expression('The system prompt of sample.', { optional: true }),
  'max-tokens': fields.integer('How long the answer of sample may be.', 1000, { minimum: 1 }),
  roots: fields.flag('Asks for the folders the caller works in.'),
  optional: fields.flag("Leaves the question out where the caller's program cannot take it."),
  'before-task': fields.flag('Asks before the call becomes a task.'),
};

const shape = {
  questions: fields.named('What to ask at once, each under the name of its answer.', questionShape),
  into: fields.text('The property that holds the answers, readable as vars.answers.', 'answers'),
};

type QuestionValues = ShapeValues<typeof questionShape>;
type Ask = (exchange: Exchange) => AskedQuestion;

/** Fields a form may have (MCP 2025-11-25, "Requested Schema"). */
const plainTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array']);

/**
 * Asks whoever made the call. Where the caller answers by sending the same call again (MCP 2026-07-28), the workflow runs
 * again from its start and finds the answers given so far: put `ask` before what has an effect.
 */
export class AskStep extends StepType {
  readonly keyword = 'ask';
  readonly description =
    "Asks the caller of the workflow, the caller's model or its program (MCP) and keeps the answers as vars.answers.";
  readonly shape = shape;

  compile(node: StepNode, build: RouteBuilder): Processor {
    const { questions, into } = build.read(node, shape);
    const asks = [...questions].map(([name, values]) => {
      return [name, readQuestion(name, values, node, build)] as const;
    });
    return async (exchange) => {
      const mine = exchange[journey];
      const { link } = exchange;
      if (link === null) {
        throw new HelixError(
          'ENGINE.NOBODY_TO_ASK',
          'The workflow must ask its caller, and whoever called it cannot be asked: call it over MCP.',
        );
      }
      const answers = await link.ask(new Map(asks.map(([name, ask]) => [name, ask(exchange)])));
      if (exchange[journey] === mine) exchange.setProperty(into, Object.fromEntries(answers));
    };
  }
}

function readQuestion(name: string, values: QuestionValues, node: StepNode, build: RouteBuilder): Ask {
  const problem = (message: string): void =>
    build.problem({ severity: 'error', rule: 'wrong-value', message, place: node.place });
  const kinds = [values.schema !== undefined, values.url !== null, values.sample !== null, values.roots];
  if (kinds.filter(Boolean).length !== 1)
    problem(`The question "${name}" takes one of schema, url, sample and roots.`);
  if ((values.schema !== undefined || values.url !== null) && values.message === null)
    problem(`The question "${name}" needs a message for the person who reads it.`);
  const schema = values.schema === undefined ? null : asForm(name, values.schema, problem);
  const check = schema === null ? null : compileForm(schema, build, problem);
  return (exchange) => ({
    question: questionOf(values, schema, exchange),
    isOptional: values.optional,
    isBeforeTask: values['before-task'],
    problems: (content) => check?.(content) ?? [],
  });
}

function questionOf(
  values: QuestionValues,
  schema: Readonly<Record<string, unknown>> | null,
  exchange: Exchange,
): Question {
  const message = values.message === null ? '' : textOf(values.message, exchange);
  if (schema !== null) return { kind: 'form', message, schema };
  if (values.url !== null) return { kind: 'url', message, url: pageOf(values.url, exchange) };
  if (values.sample === null) return { kind: 'roots' };
  return {
    kind: 'sample',
    prompt: values.sample.evaluate(exchange),
    system: values.system === null ? null : textOf(values.system, exchange),
    maxTokens: values['max-tokens'],
  };
}

function asForm(
  name: string,
  schema: unknown,
  problem: (message: string) => void,
): Readonly<Record<string, unknown>> | null {
  const form = schema as { readonly type?: unknown; readonly properties?: unknown } | null;
  const properties = typeof form === 'object' ? form?.properties : undefined;
  if (form?.type !== 'object' || typeof properties !== 'object' || properties === null) {
    problem(`The schema of "${name}" must have type: object and properties.`);
    return null;
  }
  for (const [field, each] of Object.entries(properties as Record<string, { type?: unknown } | null>)) {
    if (!plainTypes.has(each?.type))
      problem(
        `The field "${field}" of "${name}" must be a string, number, integer, boolean or a list of choices.`,
      );
  }
  return schema as Readonly<Record<string, unknown>>;
}

function compileForm(
  schema: Readonly<Record<string, unknown>>,
  build: RouteBuilder,
  problem: (message: string) => void,
): ((value: unknown) => readonly FieldProblem[]) | null {
  try {
    return build.validator?.compile(withoutNames(schema)) ?? null;
  } catch (thrown) {
    problem(`This is no JSON Schema: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return null;
  }
}

/** `enumNames` is no keyword of JSON Schema, yet clients of 2025-06-18 know no other way to show titles. */
function withoutNames(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'enumNames' ? undefined : value)),
  ) as Record<string, unknown>;
}

function textOf(expression: Expression, exchange: Exchange): string {
  const value = expression.evaluate(exchange);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}

function pageOf(expression: Expression, exchange: Exchange): string {
  const url = textOf(expression, exchange);
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new HelixError(
    'EXPRESSION.EVALUATION_FAILED',
    `The url ${expression.source} must be an address of http or https.`,
  );
}
