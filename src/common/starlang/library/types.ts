import { ANY, type TypeShape, type TypeValue } from '../values/type-value.js';
import type { Value } from '../values/value.js';
import { fn, type LibraryFunction, type LibraryModule } from './define.js';

const shapeOf = (type: TypeValue): TypeShape => type.resolved().shape;

const isSimple = (type: TypeValue, name: string): boolean => {
  const shape = shapeOf(type);
  return shape.kind === 'simple' && shape.name === name;
};

const test = (
  name: string,
  what: string,
  expr: string,
  holds: (type: TypeValue) => boolean,
): LibraryFunction =>
  fn(name, `Is it ${what}?`, [[`${name}(${expr})`, 'true']], { '(t: Type): Boolean': holds });

const SIMPLE = [
  'Any',
  'Binary',
  'Boolean',
  'DateTime',
  'Date',
  'Key',
  'LocalDateTime',
  'LocalTime',
  'Namespace',
  'Nothing',
  'Null',
  'Number',
  'Period',
  'Range',
  'Regex',
  'String',
  'Time',
  'TimeZone',
  'Type',
  'Uri',
];

function members(type: TypeValue, kind: 'union' | 'intersection'): Value[] {
  const shape = shapeOf(type);
  return shape.kind === kind ? [...shape.members] : [];
}

export const types: LibraryModule = {
  name: 'dw::core::Types',
  functions: [
    ...SIMPLE.map((name) => test(`is${name}Type`, `the type ${name}`, name, (type) => isSimple(type, name))),
    test(
      'isArrayType',
      'an array type',
      'Array',
      (type) => shapeOf(type).kind === 'array' || isSimple(type, 'Array'),
    ),
    test(
      'isObjectType',
      'an object type',
      'Object',
      (type) => shapeOf(type).kind === 'object' || isSimple(type, 'Object'),
    ),
    test(
      'isFunctionType',
      'a function type',
      'Function',
      (type) => shapeOf(type).kind === 'function' || isSimple(type, 'Function'),
    ),
    fn('isUnionType', 'Is it a union of types?', [['isUnionType(String)', 'false']], {
      '(t: Type): Boolean': (type: TypeValue) => shapeOf(type).kind === 'union',
    }),
    fn('isIntersectionType', 'Is it an intersection of types?', [['isIntersectionType(String)', 'false']], {
      '(t: Type): Boolean': (type: TypeValue) => shapeOf(type).kind === 'intersection',
    }),
    fn('isLiteralType', 'Is it the type of one value?', [['isLiteralType(String)', 'false']], {
      '(t: Type): Boolean': (type: TypeValue) => shapeOf(type).kind === 'literal',
    }),
    fn('isReferenceType', 'Is it a declared name of a type?', [['isReferenceType(String)', 'false']], {
      '(t: Type): Boolean': (type: TypeValue) => type.shape.kind === 'named' && !type.shape.direct,
    }),
    fn(
      'arrayItem',
      'The type of the items of an array type.',
      [['arrayItem(Array<String>) as String', '"String"']],
      {
        '(t: Type): Type': (type: TypeValue) => {
          const shape = shapeOf(type);
          if (shape.kind === 'array') return shape.item ?? ANY;
          return isSimple(type, 'Array') ? ANY : null;
        },
      },
    ),
    fn(
      'baseTypeOf',
      'The built-in type beneath a declared one.',
      [['baseTypeOf(String) as String', '"String"']],
      { '(t: Type): Type': (type: TypeValue) => type.resolved() },
    ),
    fn('functionParamTypes', 'The parameters of a function type.', [['functionParamTypes(String)', '[]']], {
      '(t: Type): Array<Object>': (type: TypeValue) => {
        const shape = shapeOf(type);
        return shape.kind === 'function'
          ? shape.params.map((param): Value => ({ paramType: param, optional: false }))
          : [];
      },
    }),
    fn('functionReturnType', 'The result of a function type.', [['functionReturnType(String)', 'null']], {
      '(t: Type): Type | Null': (type: TypeValue) => {
        const shape = shapeOf(type);
        return shape.kind === 'function' ? shape.result : null;
      },
    }),
    fn('intersectionItems', 'The types of an intersection.', [['intersectionItems(String)', '[]']], {
      '(t: Type): Array<Type>': (type: TypeValue) => members(type, 'intersection'),
    }),
    fn('unionItems', 'The types of a union.', [['unionItems(String)', '[]']], {
      '(t: Type): Array<Type>': (type: TypeValue) => members(type, 'union'),
    }),
    fn('literalValueOf', 'The value of a literal type.', [['literalValueOf(String)', 'null']], {
      '(t: Type): Any': (type: TypeValue) => {
        const shape = shapeOf(type);
        return shape.kind === 'literal' ? shape.value : null;
      },
    }),
    fn('metadataOf', 'The metadata of a type.', [['metadataOf(String)', '{}']], {
      '(t: Type): Object': (type: TypeValue) => ({ ...type.resolved().meta, ...type.meta }),
    }),
    fn('nameOf', 'The name of a type.', [['nameOf(String)', '"String"']], {
      '(t: Type): String': (type: TypeValue) =>
        type.shape.kind === 'array'
          ? 'Array'
          : type.shape.kind === 'object'
            ? 'Object'
            : type.shape.kind === 'function'
              ? 'Function'
              : type.toString(),
    }),
    fn('objectFields', 'The fields of an object type.', [['objectFields(String)', '[]']], {
      '(t: Type): Array<Object>': (type: TypeValue) => {
        const shape = shapeOf(type);
        if (shape.kind !== 'object') return [];
        return shape.fields.map(({ name, type: value, optional, repeated }): Value => ({
          key: { name: { localName: name ?? '_', namespace: null }, attributes: [] },
          required: !optional,
          repeated,
          value,
        }));
      },
    }),
  ],
};
