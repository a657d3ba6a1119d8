import type { ShapeValues } from '../../engine/api/fields/index.js';
import type { FieldReader } from '../../engine/api/route-builder.js';
import { entry, type Place, type SourceNode } from '../../engine/model/source-node.js';
import { wrongValue } from '../shape/nodes.js';
import { dataOf, entryPlace, itemsOf, textsOf } from './test-nodes.js';
import type { CallExpectation, Data, Expectations } from './test-definition.js';
import type { expectShape } from './test-shape.js';

/** What stands under `expect:`; without it nothing is expected but that nothing fails. */
export function readExpectations(
  source: SourceNode | undefined,
  values: ShapeValues<typeof expectShape> | null,
  test: Place,
  reader: FieldReader,
): Expectations {
  const at = (key: string): Place => entryPlace(source, key);
  const data = (key: 'body' | 'contains' | 'headers' | 'properties'): Data | null =>
    dataOf(values?.[key] ?? null, at(key));
  const has = (key: string): boolean => source?.kind === 'map' && entry(source, key) !== undefined;
  const inner = (key: string): SourceNode | undefined =>
    source?.kind === 'map' ? entry(source, key) : undefined;
  for (const key of ['headers', 'properties'] as const) {
    const given = inner(key);
    if (given && given.kind !== 'map') wrongValue(reader, given.place, `${key} is a map from name to value.`);
  }
  const letters = inner('dead-letters');
  const { failure, elapsed } = values ?? {};
  return {
    place: source?.place ?? test,
    status: values?.status ? { value: values.status, place: at('status') } : null,
    body: data('body'),
    contains: data('contains'),
    that: textsOf(inner('that')).map(({ text, place }) => ({ source: text, place })),
    headers: data('headers'),
    failure: failure ? { ...failure, place: at('failure') } : null,
    properties: data('properties'),
    calls: readCalls(inner('calls'), values?.calls ?? [], reader),
    letters: has('dead-letters')
      ? {
          place: at('dead-letters'),
          list: (values?.['dead-letters'] ?? []).map(({ code, contains }, nth) => ({
            place: (letters && itemsOf(letters)[nth]?.place) ?? at('dead-letters'),
            code,
            contains: dataOf(contains),
          })),
        }
      : null,
    log: textsOf(inner('log')),
    elapsed: elapsed
      ? {
          place: at('elapsed'),
          exactlyMs: elapsed.exactly,
          atLeastMs: elapsed['at-least'],
          atMostMs: elapsed['at-most'],
        }
      : null,
  };
}

function readCalls(
  source: SourceNode | undefined,
  values: ShapeValues<typeof expectShape>['calls'],
  reader: FieldReader,
): readonly CallExpectation[] {
  const nodes = source ? itemsOf(source) : [];
  return values.map(({ to, count, bodies, contains, headers }, nth) => {
    const node = nodes[nth];
    const list = (given: SourceNode | null, key: string): Data | null => {
      if (given && given.kind !== 'list')
        wrongValue(reader, given.place, `${key} is a list with an entry for each call.`);
      return given?.kind === 'list' ? dataOf(given, entryPlace(node, key)) : null;
    };
    return {
      place: node?.place ?? source?.place ?? { file: '', line: 1, column: 1 },
      to: { text: to, place: entryPlace(node, 'to') },
      count,
      bodies: list(bodies, 'bodies'),
      contains: list(contains, 'contains'),
      headers: list(headers, 'headers'),
    };
  });
}
