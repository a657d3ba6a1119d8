import {
  choice,
  duration,
  flag,
  group,
  groups,
  integer,
  text,
  texts,
  type Field,
} from '../../engine/api/fields/index.js';
import type { JsonSchema } from '../../engine/api/workflow-directory.js';
import { node, wrongValue } from '../shape/nodes.js';

/** Where a test's clock stands unless it says otherwise: the same for every run. */
export const defaultStart = Date.UTC(2026, 0, 1);

const map: JsonSchema = { type: 'object' };
const address = 'scheme://path without options, a prefix that ends in *, or a /regular expression/.';

/** Absent, it is no empty list. */
const optional = <T>(field: Field<T>): Field<T> => ({ ...field, required: false });

const instant: Field<number> = {
  kind: 'instant',
  sentence: 'Where the clock stands when the test begins, as ISO 8601 with a zone.',
  required: false,
  fallback: defaultStart,
  schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T' },
  read(source, reader) {
    const written = source.kind === 'scalar' && typeof source.value === 'string' ? source.value : '';
    const found = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(written) ? Date.parse(written) : NaN;
    if (Number.isFinite(found)) return found;
    wrongValue(reader, source.place, 'This must be an instant such as 2026-11-30T08:00:00Z.');
    return defaultStart;
  },
};

const mishapShape = {
  fail: text('Fail with this error code: one of the known, or your own.', null),
  message: text('The message of the failure.', null),
  hang: flag('Never answer; whoever waits must give up by itself.'),
  delay: duration('How long it takes, on the virtual clock.', 0),
} as const;

export const replyShape = {
  body: node('The new body; without it and without starlang the body stays.', {}),
  starlang: text('The new body as a script over the message that was sent.', null),
  headers: node('Headers to set; null removes one.', map),
  ...mishapShape,
  times: integer('How many calls it answers before the next reply does; the last answers the rest.', 1, {
    minimum: 1,
  }),
} as const;

export const mockShape = {
  uri: text(`Which targets it stands in for: ${address}`),
  reply: optional(groups('What it answers: one reply, or several in order.', replyShape)),
} as const;

export const faultShape = {
  uri: text(`Which targets go wrong: ${address}`),
  call: integer('Only this call, counted from 1; without it every one.', null, { minimum: 1 }),
  ...mishapShape,
} as const;

export const triggerShape = {
  method: text('HTTP method; without it the first that the trigger serves.', null),
  path: node('Values for the {names} of the path of the trigger, or the whole path.', {
    type: ['object', 'string'],
  }),
  query: node('Query parameters.', map),
  headers: node('Headers of the message.', map),
  body: node(
    'The body. Over HTTP it is sent as JSON, text as text; a content-type header says otherwise.',
    {},
  ),
  pattern: choice('Whether a reply is waited for.', ['InOut', 'InOnly'], 'InOut'),
  after: duration('Virtual time to let pass before the message is sent.', 0),
} as const;

const clockShape = {
  start: instant,
  'run-for': duration(
    'Virtual time to let pass after the messages; timers and schedules of the workflow fire meanwhile.',
    null,
  ),
} as const;

export const failureShape = {
  code: { ...text('The error code.', null), shorthand: true },
  message: text('A part of the message.', null),
  step: text('Id of the step where it arose.', null),
} as const;

export const callShape = {
  to: text(`Which calls are meant: ${address}`),
  count: integer('How many there are.', null, { minimum: 0 }),
  bodies: node('The bodies that were sent, in order.', { type: 'array' }),
  contains: node('Parts of the bodies that were sent, in order.', { type: 'array' }),
  headers: node('Headers that were sent, a map for each call.', { type: 'array' }),
} as const;

export const letterShape = {
  code: { ...text('The error code of the failure.', null), shorthand: true },
  contains: node('A part of the body.', {}),
} as const;

export const elapsedShape = {
  exactly: { ...duration('So much virtual time.', null), shorthand: true },
  'at-least': duration('No less.', null),
  'at-most': duration('No more.', null),
} as const;

export const expectShape = {
  status: integer('HTTP status of the reply.', null, { minimum: 100, maximum: 599 }),
  body: node('The whole body of the reply.', {}),
  contains: node(
    'Part of the body: of a map the named keys, of a body that is text a part of it; lists have the same length.',
    {},
  ),
  that: texts('Starlang conditions on the reply, which is payload.'),
  headers: node('Headers of the reply; null stands for none of that name.', map),
  failure: group('How the workflow fails.', failureShape),
  properties: node('Variables (vars) at the end.', map),
  calls: optional(groups('Calls that were made to targets, mocked or not.', callShape)),
  'dead-letters': optional(groups('What was sent to dead letters, in order.', letterShape)),
  log: texts('Texts that stand in the log.'),
  elapsed: group('How much virtual time the workflow took.', elapsedShape),
} as const;

/** One entry of `tests:`. */
export const testShape = {
  name: text('What is to hold, in a few words.'),
  workflow: text('Id of the workflow that is tested.', null),
  tool: text('Id of the tool that is tested, instead of a workflow.', null),
  skip: text('Why the test is not run at present.', null),
  trigger: optional(
    groups('The message that starts it; several are sent one after the other.', triggerShape),
  ),
  input: node('The arguments of the tool: short for `trigger: { body: … }`.', map),
  mocks: optional(groups('What stands in for targets; the first that fits counts.', mockShape)),
  faults: optional(groups('What goes wrong before targets that are the real ones otherwise.', faultShape)),
  allow: texts(`Outward targets that are really called: ${address}`),
  clock: group('The virtual clock.', clockShape),
  expect: group('What must have happened; without it only that nothing failed.', expectShape),
} as const;
