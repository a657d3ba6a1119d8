import {
  duration,
  flag,
  readShape,
  readUri,
  steps,
  text,
  type Field,
} from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { entry, type Place, type SourceNode } from '../../engine/model/source-node.js';
import type { UriNode, WorkflowDefinition } from '../../engine/model/workflow-definition.js';
import { origins } from '../origins.js';
import { jsonSchema, node, pattern } from './nodes.js';

const trigger: Field<UriNode | null> = {
  kind: 'uri',
  sentence: 'What starts the workflow: { uri, parameters }.',
  required: false,
  fallback: null,
  schema: { $ref: '#/$defs/uri' },
  read: (source, reader) => readUri(source, (problem) => reader.problem(problem)),
};

/** Sections that stand in a workflow, and at the top level as defaults for every workflow. */
export const policyShape = {
  'error-handler': node('What a failing step does: retries, delay, backoff, dead-letter.', {
    $ref: '#/$defs/error-handler',
  }),
  'on-exception': node('Clauses for certain failures, most specific first.', {
    $ref: '#/$defs/on-exception',
  }),
  interceptors: node('What comes before steps, triggers and targets.', { $ref: '#/$defs/interceptors' }),
} as const;

/** One entry of `workflows:`. */
export const workflowShape = {
  id: pattern('The name of the workflow.', /^[A-Za-z0-9_.-]{1,64}$/, '1 to 64 letters, digits, _ . or -'),
  description: text('What the workflow does; the description of its MCP tool.', null),
  trigger,
  from: { ...trigger, sentence: 'Short for `trigger: { uri: … }`.', schema: { type: 'string' } },
  'input-schema': jsonSchema(
    'JSON Schema of the input; lets a direct, seda or http-server workflow be called as a tool.',
  ),
  'output-schema': jsonSchema('JSON Schema of the result.'),
  timeout: duration('How long one exchange may take; unlimited without it.', null),
  durable: flag('Keep the progress of each exchange in the database.'),
  disabled: flag('Do not start the workflow.'),
  ...policyShape,
  steps: steps('What happens, in order.'),
} as const;

/** Where a workflow listens that names no trigger: its steps are checked all the same, so that one report tells all. */
const nowhere = (place: Place): UriNode => ({
  uri: `direct://line-${place.line}`,
  parameters: {},
  secrets: new Set(),
  place,
});

export function readWorkflow(source: SourceNode, reader: FieldReader): WorkflowDefinition | null {
  if (source.kind !== 'map') {
    reader.problem({
      severity: 'error',
      rule: 'wrong-value',
      message: 'A workflow is a map with id, trigger and steps.',
      place: source.place,
    });
    return null;
  }
  const read = readShape(source, workflowShape, reader);
  const [first, second] = [entry(source, 'trigger'), entry(source, 'from')];
  if (first && second) {
    reader.problem({
      severity: 'error',
      rule: 'conflicting-keys',
      message: 'trigger and from both say what starts the workflow: keep one.',
      place: second.place,
    });
  } else if (!first && !second) {
    reader.problem({
      severity: 'error',
      rule: 'missing-key',
      message: 'Nothing starts the workflow: write `from: scheme://path` or `trigger: { uri: … }`.',
      place: source.place,
    });
  }
  if (read.durable) {
    reader.problem({
      severity: 'error',
      rule: 'durable-workflow',
      message:
        'This version keeps no progress of workflows; tool calls are durable by themselves. Leave durable out.',
      place: entry(source, 'durable')?.place ?? source.place,
    });
  }
  const start = read.trigger ?? read.from ?? (first || second ? null : nowhere(source.place));
  if (!start) return null;
  const definition: WorkflowDefinition = {
    id: read.id,
    place: entry(source, 'id')?.place ?? source.place,
    description: read.description,
    trigger: start,
    inputSchema: read['input-schema'],
    outputSchema: read['output-schema'],
    timeoutMs: read.timeout,
    durable: read.durable,
    disabled: read.disabled,
    errorHandler: read['error-handler'],
    onException: read['on-exception'],
    interceptors: read.interceptors,
    steps: read.steps,
  };
  origins.set(definition, source);
  return definition;
}
