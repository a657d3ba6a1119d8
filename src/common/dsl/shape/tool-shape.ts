import {
  choice,
  duration,
  flag,
  group,
  groups,
  integer,
  readShape,
  type ShapeValues,
  steps,
  text,
} from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { entry, type SourceNode } from '../../engine/model/source-node.js';
import {
  costHeader,
  type ToolDefinition,
  type ToolPricing,
  type ToolRule,
} from '../../engine/model/tool-definition.js';
import type { ToolSource } from '../../engine/model/workflow-definition.js';
import { origins } from '../origins.js';
import { fieldDefs } from './field-defs.js';
import { jsonSchema, pattern } from './nodes.js';

const ruleShape = {
  name: text('A word for the rule; it names the rule in errors.'),
  expr: text('Starlang over `args` that gives true where the arguments are right.'),
  reason: text('What the caller is told where it gives false.'),
} as const;

const validateShape = {
  schema: flag('Check the arguments against `input`.', true),
  rules: { ...groups('Further rules, tried in order.', ruleShape), required: false },
} as const;

const mostMicros = { minimum: 0, maximum: 1_000_000_000_000_000 };

const pricingShape = {
  model: choice('What is paid for.', ['free', 'per_call', 'per_result', 'per_success', 'unknown'], 'free'),
  micros: integer(
    `Fixed price of one unit in USD micros (10^-6 USD); left out, the route tells the cost in ${costHeader}.`,
    null,
    mostMicros,
  ),
  'estimate-micros': integer(
    'Expected cost of a call in USD micros; by default the fixed price.',
    null,
    mostMicros,
  ),
  note: text('What a buyer should know about the price.', null),
} as const;

/** One entry of `tools:`. */
export const toolShape = {
  id: pattern(
    'The name by which the tool is called: `tool://id`.',
    /^[A-Za-z0-9_-]{1,64}$/,
    '1 to 64 letters, digits, _ or -',
  ),
  name: text('A title for people.', null),
  description: text('What the tool does and when to use it, as a person or a model reads it.', null),
  input: fieldDefs('The arguments.'),
  output: fieldDefs('The result, for those who call the tool; it is not checked.'),
  'input-schema': jsonSchema('The arguments as a JSON Schema, instead of `input`.'),
  'output-schema': jsonSchema('The result as a JSON Schema, instead of `output`.'),
  validate: group('How the arguments are checked.', validateShape),
  timeout: duration('How long one call may take.', 60_000),
  'max-result-bytes': integer('A longer result is cut.', 1_048_576, { minimum: 1 }),
  'side-effects': choice(
    'Whether a call changes something outside.',
    ['read', 'write', 'unknown'],
    'unknown',
  ),
  redispatch: choice(
    'Whether a call whose outcome was lost may run again: never, only with a key the upstream honours, or always.',
    ['never', 'with_upstream_key', 'safe'],
    'never',
  ),
  'requires-project': flag('A call must name a project.'),
  pricing: group('What a call costs.', pricingShape),
  'docs-url': text('Where more is written about the tool.', null),
  steps: steps('What a call does; without steps a workflow `from: tool://id` does it.', { optional: true }),
} as const;

export function readTool(source: SourceNode, reader: FieldReader): ToolSource | null {
  if (source.kind !== 'map') {
    reader.problem({
      severity: 'error',
      rule: 'wrong-value',
      message: 'A tool is a map with id, description, input and steps.',
      place: source.place,
    });
    return null;
  }
  const read = readShape(source, toolShape, reader);
  if (read.id === 'connections') {
    reader.problem({
      severity: 'error',
      rule: 'reserved-id',
      message: 'A tool cannot be called "connections": the REST API has that address. Rename it.',
      place: entry(source, 'id')?.place ?? source.place,
    });
  }
  for (const [fields, schema] of [
    ['input', 'input-schema'],
    ['output', 'output-schema'],
  ] as const) {
    const second = entry(source, schema);
    if (second && entry(source, fields)) {
      reader.problem({
        severity: 'error',
        rule: 'conflicting-keys',
        message: `${fields} and ${schema} say the same thing twice: keep one.`,
        place: second.place,
      });
    }
  }
  const ruleNodes = listed(entry(source, 'validate'));
  const rules = (read.validate?.rules ?? []).map((rule, index): ToolRule => {
    const copy = { ...rule };
    const origin = ruleNodes[index];
    if (origin) origins.set(copy, origin);
    return copy;
  });
  const definition: ToolDefinition = {
    id: read.id,
    name: read.name,
    description: read.description,
    input: read.input ?? {},
    output: read.output ?? {},
    inputSchema: read['input-schema'],
    outputSchema: read['output-schema'],
    validateSchema: read.validate?.schema ?? true,
    rules,
    policy: {
      timeoutMs: read.timeout,
      maxResultBytes: read['max-result-bytes'],
      sideEffects: read['side-effects'],
      redispatch: read.redispatch,
      requiresProject: read['requires-project'],
    },
    pricing: readPricing(read.pricing, source, reader),
    docsUrl: read['docs-url'],
  };
  origins.set(definition, source);
  return { definition, place: entry(source, 'id')?.place ?? source.place, steps: read.steps ?? [] };
}

function readPricing(
  read: ShapeValues<typeof pricingShape> | null,
  tool: SourceNode,
  reader: FieldReader,
): ToolPricing {
  const { model, micros, note, 'estimate-micros': estimate } = read ?? nothingPaid;
  if (micros !== null && (model === 'free' || model === 'unknown')) {
    reader.problem({
      severity: 'error',
      rule: 'conflicting-keys',
      message: `A price in micros needs a model that is paid: per_call, per_success or per_result, not ${model}.`,
      place: (tool.kind === 'map' ? entry(tool, 'pricing') : undefined)?.place ?? tool.place,
    });
  }
  return { model, micros, estimateMicros: estimate ?? (model === 'free' ? 0 : micros), note };
}

const nothingPaid = { model: 'free', micros: null, note: null, 'estimate-micros': null } as const;

function listed(validate: SourceNode | undefined): readonly SourceNode[] {
  const rules = validate?.kind === 'map' ? entry(validate, 'rules') : undefined;
  return rules === undefined ? [] : rules.kind === 'list' ? rules.items : [rules];
}
