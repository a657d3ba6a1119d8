import { requireText } from '../values/text.js';
import type { Value } from '../values/value.js';
import { passes } from './arguments.js';
import { fn, type Callback, type LibraryFunction, type LibraryModule } from './define.js';
import { ARRAY_TYPE, ATTRIBUTE_TYPE, isLeaf, OBJECT_TYPE, partsOf, prune, rebuild } from './paths.js';

function expression(path: Value[]): string {
  return path
    .map(partsOf)
    .map(({ kind, selector }) => {
      const text = requireText(selector);
      if (kind === ARRAY_TYPE) return `[${text}]`;
      const name = /^[A-Za-z_]\w*$/.test(text) ? text : `"${text}"`;
      return kind === ATTRIBUTE_TYPE ? `.@${name}` : `.${name}`;
    })
    .join('');
}

const lastKind = (path: Value[]) => (path.length === 0 ? undefined : partsOf(path.at(-1) as Value).kind);

const kindTest = (name: string, kind: string, what: string): LibraryFunction =>
  fn(
    name,
    `Does the path end at ${what}?`,
    [[`${name}([{kind: "${kind}", selector: 0, namespace: null}])`, 'true']],
    {
      '(path: Array): Boolean': (path: Value[]) => lastKind(path) === kind,
    },
  );

/** Leaves whose place is of a kind and that fail the condition are left out. */
const leafs = (
  name: string,
  isTested: (kind: string | undefined) => boolean,
  what: string,
  expr: string,
  result: string,
) =>
  fn(name, `Without the simple values of ${what} that do not fulfil the condition.`, [[expr, result]], {
    '(value: Any, criteria: (value: Any, path: Path) -> Boolean): Any': (value: Value, test: Callback) =>
      prune(
        value,
        (node, path) => !isLeaf(node) || !isTested(lastKind(path)) || passes(test(node, path), name),
      ),
  });

export const tree: LibraryModule = {
  name: 'dw::util::Tree',
  constants: { OBJECT_TYPE, ATTRIBUTE_TYPE, ARRAY_TYPE },
  functions: [
    fn(
      'asExpressionString',
      'A path as a selector expression.',
      [
        [
          'asExpressionString([{kind: OBJECT_TYPE, selector: "a", namespace: null}, {kind: ARRAY_TYPE, selector: 0, namespace: null}])',
          '".a[0]"',
        ],
      ],
      { '(path: Array): String': expression },
    ),
    kindTest('isArrayType', ARRAY_TYPE, 'an item of an array'),
    kindTest('isObjectType', OBJECT_TYPE, 'a key of an object'),
    kindTest('isAttributeType', ATTRIBUTE_TYPE, 'an attribute'),
    leafs(
      'filterArrayLeafs',
      (kind) => kind === ARRAY_TYPE,
      'arrays',
      '[1, 2, {a: 1}] filterArrayLeafs ($ > 1)',
      '[2, {"a": 1}]',
    ),
    leafs(
      'filterObjectLeafs',
      (kind) => kind === OBJECT_TYPE || kind === ATTRIBUTE_TYPE,
      'objects and attributes',
      '{a: 1, b: [1]} filterObjectLeafs ($ > 1)',
      '{"b": [1]}',
    ),
    fn(
      'filterTree',
      'Without the nodes that do not fulfil the condition.',
      [['{a: 1, b: {c: null}} filterTree ($ != null)', '{"a": 1, "b": {}}']],
      {
        '(value: Any, criteria: (value: Any, path: Path) -> Boolean): Any': (value: Value, test: Callback) =>
          prune(value, (node, path) => passes(test(node, path), 'filterTree')),
      },
    ),
    fn(
      'mapLeafValues',
      'Every simple value replaced by what the function gives.',
      [['{a: [1, 2]} mapLeafValues ($ + 1)', '{"a": [2, 3]}']],
      {
        '(value: Any, callback: (value: Any, path: Path) -> Any): Any': (value: Value, mapper: Callback) =>
          rebuild(value, (node, path) => (isLeaf(node) ? mapper(node, path) : node)) ?? null,
      },
    ),
    fn('nodeExists', 'Does any node fulfil the condition?', [['{a: {b: 1}} nodeExists ($ == 1)', 'true']], {
      '(value: Any, callback: (value: Any, path: Path) -> Boolean): Boolean': (
        value: Value,
        test: Callback,
      ) => {
        let found = false;
        rebuild(value, (node, path) => {
          found ||= (path.length > 0 || isLeaf(node)) && passes(test(node, path), 'nodeExists');
          return node;
        });
        return found;
      },
    }),
  ],
};
