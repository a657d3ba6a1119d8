import { Decimal } from '../numbers/decimal.js';
import { Box } from './box.js';
import type { Value } from './value.js';

export interface TypeField {
  /** Undefined: any key. */
  name?: string;
  /** Prefix the key is written with. */
  namespace?: string;
  type: TypeValue;
  optional: boolean;
  repeated: boolean;
}

export type TypeShape =
  | { kind: 'simple'; name: string }
  | { kind: 'union' | 'intersection'; members: TypeValue[] }
  | { kind: 'literal'; value: Value }
  | { kind: 'array'; item: TypeValue | undefined }
  | { kind: 'object'; fields: TypeField[]; closed: boolean; ordered: boolean }
  | { kind: 'function'; params: TypeValue[]; result: TypeValue }
  /** A declared name: looked up when used, so that types may be recursive. `direct` where a script names it as a value. */
  | { kind: 'named'; name: string; resolve: () => TypeValue; direct?: boolean }
  /** What `is` asks for: the metadata of a type has to be that of the value too. */
  | { kind: 'tagged'; base: TypeValue; meta: Readonly<Record<string, Value>> }
  /** A type parameter: its bound, Any without one. */
  | { kind: 'parameter'; name: string; bound: TypeValue | undefined }
  /** `Type<T>`, `Iterator<T>` … : arguments are kept for display. */
  | { kind: 'applied'; base: TypeValue; args: TypeValue[] };

/** A type as a value. */
export class TypeValue extends Box {
  readonly typeName = 'Type';

  constructor(
    readonly shape: TypeShape,
    /** `{format: "…"}` */
    readonly meta?: Readonly<Record<string, Value>>,
  ) {
    super();
  }

  /** As a type prints. */
  override toString(): string {
    const { shape } = this;
    switch (shape.kind) {
      case 'simple':
      case 'named':
      case 'parameter':
        return shape.name;
      case 'union':
        return shape.members.join(' | ');
      case 'intersection':
        return shape.members.join(' & ');
      case 'literal':
        return literalText(shape.value);
      case 'array':
        return shape.item ? `Array<${shape.item.toString()}>` : 'Array';
      case 'object': {
        const fields = shape.fields.map(
          (field) =>
            `${field.name ?? '_'}${field.repeated ? '*' : ''}${field.optional ? '?' : ''}: ${field.type.toString()}`,
        );
        const bar = shape.closed ? '|' : '';
        return `{${bar}${fields.length > 0 ? ` ${fields.join(', ')} ` : ''}${bar}}`;
      }
      case 'function':
        return `(${shape.params.join(', ')}) -> ${shape.result.toString()}`;
      case 'tagged':
        return shape.base.toString();
      case 'applied':
        return `${shape.base.toString()}<${shape.args.join(', ')}>`;
    }
  }

  /** The type a name or parameter stands for. */
  resolved(hops = 0): TypeValue {
    const { shape } = this;
    if (hops > MOST_HOPS) return ANY;
    if (shape.kind === 'named') return shape.resolve().resolved(hops + 1);
    if (shape.kind === 'parameter') return (shape.bound ?? ANY).resolved(hops + 1);
    return shape.kind === 'applied' ? shape.base.resolved(hops + 1) : this;
  }
}

/** The type with its metadata, and that of its parts, as a condition of `is`. */
export function tagged(type: TypeValue): TypeValue {
  const base = taggedShape(type);
  return type.meta ? new TypeValue({ kind: 'tagged', base, meta: type.meta }) : base;
}

function taggedShape(type: TypeValue): TypeValue {
  const { shape } = type;
  switch (shape.kind) {
    case 'named': {
      let made: TypeValue | undefined;
      return new TypeValue({ ...shape, resolve: () => (made ??= tagged(shape.resolve())) });
    }
    case 'union':
    case 'intersection':
      return new TypeValue({ kind: shape.kind, members: shape.members.map(tagged) });
    case 'array':
      return shape.item ? new TypeValue({ kind: 'array', item: tagged(shape.item) }) : type;
    case 'object':
      return new TypeValue({
        ...shape,
        fields: shape.fields.map((field) => ({ ...field, type: tagged(field.type) })),
      });
    default:
      return type;
  }
}

function literalText(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return value instanceof Decimal || typeof value !== 'object' ? value.toString() : 'null';
}

/** A type that is declared by itself is Any. */
const MOST_HOPS = 50;

const simple = new Map<string, TypeValue>();

/** The built-in type of this name, always the same object. */
export function simpleType(name: string): TypeValue {
  let type = simple.get(name);
  if (!type) simple.set(name, (type = new TypeValue({ kind: 'simple', name })));
  return type;
}

export const ANY = simpleType('Any');

const TEMPORALS = ['Date', 'DateTime', 'LocalDateTime', 'Time', 'LocalTime'];

/** Names that stand for several types. */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = Object.assign(Object.create(null), {
  Comparable: ['String', 'Number', 'Boolean', 'TimeZone', ...TEMPORALS],
  SimpleType: ['String', 'Number', 'Boolean', 'TimeZone', 'Period', ...TEMPORALS],
  StringCoerceable: [
    'String',
    'Number',
    'Boolean',
    'TimeZone',
    'Period',
    'Key',
    'Binary',
    'Uri',
    'Type',
    'Regex',
    'Namespace',
    ...TEMPORALS,
  ],
});

export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'Any',
  'Nothing',
  'Null',
  'String',
  'CData',
  'Number',
  'NaN',
  'Boolean',
  'Array',
  'Iterator',
  'Object',
  'Dictionary',
  'Function',
  'TimeZone',
  'Period',
  'Regex',
  'Binary',
  'Range',
  'Type',
  'Key',
  'Namespace',
  'Uri',
  'Enum',
  'Comparable',
  'SimpleType',
  'StringCoerceable',
  'Result',
  'Pair',
  ...TEMPORALS,
]);
