import { updatePath, type PathStep } from '../runtime/update.js';
import { Fn } from '../values/fn.js';
import { bare, Namespace } from '../values/objects.js';
import type { Value } from '../values/value.js';
import { fn, type LibraryModule } from './define.js';
import { ARRAY_TYPE, ATTRIBUTE_TYPE, element, isLeaf, OBJECT_TYPE, partsOf, rebuild } from './paths.js';

/** What waits for `with`. */
const waiting = (name: string, apply: (replace: (old: Value, index: Value) => Value) => Value): Value =>
  new Fn(name, [{ name: 'newValue', optional: false }], (given) =>
    apply((old, index) => (given instanceof Fn ? given.invoke(old, index) : given)),
  );

function stepOf(given: Value): PathStep {
  const { kind, selector, namespace } = partsOf(given);
  const ns = namespace instanceof Namespace ? namespace : undefined;
  // Every value of a repeated key, as the peer's function (its `update` operator takes the first).
  const by = kind === ARRAY_TYPE ? 'index' : kind === ATTRIBUTE_TYPE ? 'attribute' : 'many';
  return { by, key: selector, namespace: ns?.uri, prefix: ns?.prefix };
}

function updated(value: Value, path: Value): Value {
  const plain = bare(path);
  const steps = (Array.isArray(plain) ? plain : [plain]).map(stepOf);
  return waiting('update', (replace) => updatePath(value, steps, false, replace, () => true));
}

/** Every simple value under the name (or at the place, or of the attribute), wherever it stands. */
function masked(value: Value, selector: Value): Value {
  const wanted = partsOf(selector);
  const uri = uriOf(wanted.namespace);
  const isWanted = (path: Value[]): boolean => {
    const last = path.at(-1);
    if (last === undefined) return false;
    const { kind, selector: name, namespace } = partsOf(last);
    return (
      kind === wanted.kind && name === wanted.selector && (uri === undefined || uri === uriOf(namespace))
    );
  };
  return waiting(
    'mask',
    (replace) =>
      rebuild(value, (node, path) => (isLeaf(node) && isWanted(path) ? replace(node, path) : node)) ?? null,
  );
}

const uriOf = (namespace: Value): string | undefined =>
  namespace instanceof Namespace ? namespace.uri : undefined;

export const values: LibraryModule = {
  name: 'dw::util::Values',
  functions: [
    fn('field', 'The path element of a key.', [['field("a").selector', '"a"']], {
      '(namespace: Namespace | Null = null, name: String): Object': (
        namespace: Value | undefined,
        name: string,
      ) => element(OBJECT_TYPE, name, namespace ?? null),
    }),
    fn('attr', 'The path element of an attribute.', [['attr("a").kind', '"Attribute"']], {
      '(namespace: Namespace | Null = null, name: String): Object': (
        namespace: Value | undefined,
        name: string,
      ) => element(ATTRIBUTE_TYPE, name, namespace ?? null),
    }),
    fn('index', 'The path element of a place in an array.', [['index(0).selector', '0']], {
      '(index: Number): Object': (index: number) => element(ARRAY_TYPE, index),
    }),
    fn(
      'update',
      'With `with`: a copy in which the value at a key, place or path is another.',
      [
        ['{a: 1} update "a" with 2', '{"a": 2}'],
        ['{a: {b: 1}} update ["a", "b"] with ($ + 1)', '{"a": {"b": 2}}'],
      ],
      {
        '(value: Null, path: Any): Function': () => waiting('update', () => null),
        '(value: Any, path: Any): Function': updated,
      },
    ),
    fn(
      'mask',
      'With `with`: a copy in which every value of that name, wherever it stands, is another.',
      [['[{a: 1}, {b: {a: 2}}] mask "a" with "*"', '[{"a": "*"}, {"b": {"a": "*"}}]']],
      {
        '(value: Null, path: Any): Function': () => waiting('mask', () => null),
        '(value: Any, path: Any): Function': masked,
      },
    ),
  ],
};
