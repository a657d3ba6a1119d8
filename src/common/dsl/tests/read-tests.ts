import { readShape, type ShapeValues } from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { entry, plain, type Place, type SourceNode } from '../../engine/model/source-node.js';
import { wrongValue } from '../shape/nodes.js';
import { readExpectations } from './read-expectations.js';
import { addresses, dataOf, entryPlace, itemsOf, recordOf } from './test-nodes.js';
import type { Fault, Mishap, Mock, Reply, TestDefinition, TestMessage } from './test-definition.js';
import {
  defaultStart,
  testShape,
  type faultShape,
  type replyShape,
  type triggerShape,
} from './test-shape.js';

/** The tests of a workspace. What is wrong is reported; a test that names nothing to test is left out. */
export function readTests(sections: readonly SourceNode[], reader: FieldReader): readonly TestDefinition[] {
  return sections.flatMap((section) => {
    if (section.kind === 'scalar' && section.value === null) return [];
    if (section.kind === 'list') return section.items.flatMap((item) => readTest(item, reader) ?? []);
    wrongValue(reader, section.place, 'tests is a list: begin each entry with "- name: …".');
    return [];
  });
}

function readTest(source: SourceNode, reader: FieldReader): TestDefinition | null {
  if (source.kind !== 'map') {
    wrongValue(reader, source.place, 'A test is a map with name, workflow or tool, and expect.');
    return null;
  }
  const values = readShape(source, testShape, reader);
  const subject = readSubject(source, values, reader);
  if (subject === null) return null;
  const [triggers, input] = [entry(source, 'trigger'), entry(source, 'input')];
  if (triggers && input) {
    reader.problem({
      severity: 'error',
      rule: 'conflicting-keys',
      message: 'input and trigger both say what is sent: keep one.',
      place: input.place,
    });
  }
  const runForMs = values.clock?.['run-for'] ?? null;
  const nodes = triggers ? itemsOf(triggers) : [];
  return {
    name: values.name,
    place: entryPlace(source, 'name'),
    source,
    subject,
    skip: values.skip,
    messages: triggers
      ? values.trigger.map((each, at) => messageOf(each, nodes[at]?.place ?? source.place))
      : input || runForMs === null
        ? [{ ...emptyMessage, place: input?.place ?? source.place, body: input ? plain(input) : undefined }]
        : [],
    mocks: readMocks(values.mocks, entry(source, 'mocks')),
    faults: readFaults(values.faults, entry(source, 'faults')),
    allow: addresses(entry(source, 'allow')),
    startMs: values.clock?.start ?? defaultStart,
    runForMs,
    expect: readExpectations(entry(source, 'expect'), values.expect, source.place, reader),
  };
}

function readSubject(
  source: SourceNode,
  { workflow, tool }: ShapeValues<typeof testShape>,
  reader: FieldReader,
): TestDefinition['subject'] | null {
  if (workflow !== null && tool === null)
    return { kind: 'workflow', id: workflow, place: entryPlace(source, 'workflow') };
  if (tool !== null && workflow === null)
    return { kind: 'tool', id: tool, place: entryPlace(source, 'tool') };
  reader.problem({
    severity: 'error',
    rule: tool === null ? 'missing-key' : 'conflicting-keys',
    message:
      tool === null
        ? 'Say what is tested: workflow or tool, with its id.'
        : 'A test is about one thing: keep workflow or tool.',
    place: tool === null ? source.place : entryPlace(source, 'tool'),
  });
  return null;
}

const emptyMessage: Omit<TestMessage, 'place' | 'body'> = {
  method: null,
  path: null,
  query: {},
  headers: {},
  pattern: 'InOut',
  afterMs: 0,
};

function messageOf(values: ShapeValues<typeof triggerShape>, place: Place): TestMessage {
  return {
    place,
    method: values.method,
    path: values.path?.kind === 'scalar' ? String(values.path.value) : values.path && recordOf(values.path),
    query: recordOf(values.query),
    headers: recordOf(values.headers),
    body: values.body === null ? undefined : plain(values.body),
    pattern: values.pattern,
    afterMs: values.after,
  };
}

function readMocks(values: ShapeValues<typeof testShape>['mocks'], source?: SourceNode): readonly Mock[] {
  const nodes = source ? itemsOf(source) : [];
  return values.map(({ uri, reply }, at) => {
    const replies = nodes[at]?.kind === 'map' ? entry(nodes[at], 'reply') : undefined;
    const places = replies ? itemsOf(replies) : [];
    return {
      uri: { text: uri, place: entryPlace(nodes[at], 'uri') },
      replies: reply.map((each, nth) => replyOf(each, places[nth])),
    };
  });
}

function replyOf(values: ShapeValues<typeof replyShape>, source: SourceNode | undefined): Reply {
  return {
    ...mishapOf(values),
    body: dataOf(values.body)?.value,
    script:
      values.starlang === null ? null : { source: values.starlang, place: valuePlace(source, 'starlang') },
    headers: recordOf(values.headers),
    times: values.times,
  };
}

function readFaults(
  values: readonly ShapeValues<typeof faultShape>[],
  source?: SourceNode,
): readonly Fault[] {
  const nodes = source ? itemsOf(source) : [];
  return values.map((each, at) => ({
    ...mishapOf(each),
    uri: { text: each.uri, place: entryPlace(nodes[at], 'uri') },
    call: each.call,
  }));
}

function mishapOf({
  fail,
  message,
  hang,
  delay,
}: ShapeValues<typeof faultShape> | ShapeValues<typeof replyShape>): Mishap {
  return { fail, message, hang, delayMs: delay };
}

/** A script is placed by its text, not by its key. */
function valuePlace(source: SourceNode | undefined, key: string): Place {
  const value = source?.kind === 'map' ? entry(source, key) : undefined;
  return value?.place ?? entryPlace(source, key);
}
