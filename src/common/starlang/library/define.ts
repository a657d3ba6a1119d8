import { CELL } from '../limits.js';
import { charge, walk } from '../runtime/machine.js';
import { parseSignature } from '../syntax/parse.js';
import type { TypeNode } from '../syntax/ast.js';
import { Binary } from '../values/atoms.js';
import { ANY, simpleType, TYPE_NAMES, TypeValue } from '../values/type-value.js';
import type { Invoke } from '../values/fn.js';
import type { Value } from '../values/value.js';

/** A function argument as a library function gets it: call it with as many values as it has. */
export type Callback = Invoke;

/** What a library function is: its arguments are of the declared types when it is called. */
export type Native = (...args: never[]) => Value;

export interface Example {
  expr: string;
  /** Canonical JSON of the result, blanks ignored. */
  result: string;
}

export interface OverloadParam {
  name: string;
  type: TypeValue;
  optional: boolean;
  /** Number of parameters of a function-typed parameter; -1 for any other type. */
  callback: number;
}

export interface Overload {
  text: string;
  params: readonly OverloadParam[];
  min: number;
  run: (...args: Value[]) => Value;
}

/** One name of a module, with its overloads in the order they are tried. */
export class LibraryFunction {
  private parsed: readonly Overload[] | undefined;

  constructor(
    readonly name: string,
    readonly doc: string,
    readonly examples: readonly Example[],
    private readonly natives: Readonly<Record<string, Native>>,
  ) {}

  get signatures(): readonly string[] {
    return Object.keys(this.natives).map((text) => this.name + text);
  }

  /** Signatures are parsed at first use. */
  get overloads(): readonly Overload[] {
    return (this.parsed ??= Object.entries(this.natives).map(([text, run]) =>
      overloadOf(text, this.name === '++' ? run : counted(run)),
    ));
  }
}

/**
 * Declares a function. `natives` maps signatures in the language's own notation to code; each example
 * is an expression and the JSON it must give, and is run as a test.
 */
export function fn(
  name: string,
  doc: string,
  examples: readonly (readonly [expr: string, result: string])[],
  natives: Readonly<Record<string, Native>>,
): LibraryFunction {
  return new LibraryFunction(
    name,
    doc,
    examples.map(([expr, result]) => ({ expr, result })),
    natives,
  );
}

/** As {@link fn}, with one more overload: a first argument that is null gives `result`. */
export function nullable(
  name: string,
  doc: string,
  examples: readonly (readonly [expr: string, result: string])[],
  natives: Readonly<Record<string, Native>>,
  result: Value = null,
): LibraryFunction {
  const counts = Object.keys(natives).map(countParams);
  const least = Math.min(...counts.map(({ needed }) => needed));
  const most = Math.max(...counts.map(({ all }) => all));
  const rest = Array.from(
    { length: most - 1 },
    (_, i) => `, other${i + 1}: Any${i + 1 < least ? '' : ' = null'}`,
  ).join('');
  return fn(name, doc, examples, { ...natives, [`(value: Null${rest}): Any`]: () => result });
}

/** Parameters of a signature, and those of them without a default. */
function countParams(signature: string): { all: number; needed: number } {
  let depth = 0;
  let all = 1;
  let defaults = 0;
  for (const c of signature.replaceAll('->', '')) {
    if ('(<{'.includes(c)) depth++;
    else if (')}'.includes(c)) depth--;
    else if (c === '>' && depth > 1) depth--;
    else if (c === ',' && depth === 1) all++;
    else if (c === '=' && depth === 1) defaults++;
    if (depth === 0) break;
  }
  return { all, needed: all - defaults };
}

export interface LibraryModule {
  /** `dw::core::Strings` */
  name: string;
  functions: readonly LibraryFunction[];
  constants?: Readonly<Record<string, Value>>;
  types?: Readonly<Record<string, TypeValue>>;
}

function overloadOf(text: string, run: Native): Overload {
  const { params } = parseSignature(text.replace(/^<[^(]*>(?=\()/, ''));
  const list = params.map(({ name = '', type, optional = false }) => ({
    name,
    type: typeOfNode(type),
    optional,
    callback: type.kind === 'functionType' ? type.params.length : -1,
  }));
  return {
    text,
    params: list,
    min: list.filter(({ optional }) => !optional).length,
    run: run as unknown as (...args: Value[]) => Value,
  };
}

/** What a function walks and makes counts against the budget of the run. `++` counts for itself. */
function counted(native: Native): Native {
  const run = native as unknown as (...args: Value[]) => Value;
  const wrapped = (a: Value, b: Value, c: Value, ...rest: Value[]): Value => {
    if (typeof a === 'string') walk(a);
    if (typeof b === 'string') walk(b);
    return made(rest.length === 0 ? run(a, b, c) : run(a, b, c, ...rest));
  };
  return wrapped;
}

function made(value: Value): Value {
  if (typeof value === 'string') charge(value.length);
  else if (Array.isArray(value)) charge(value.length * CELL);
  else if (value instanceof Binary) charge(value.bytes.length);
  return value;
}

/** Types of signatures: names that are no types are type parameters, which take anything. */
function typeOfNode(node: TypeNode): TypeValue {
  switch (node.kind) {
    case 'named':
      if (!TYPE_NAMES.has(node.name)) return ANY;
      if (node.name === 'Array') {
        const item = node.args[0];
        return new TypeValue({ kind: 'array', item: item && typeOfNode(item) });
      }
      return simpleType(node.name);
    case 'union':
    case 'intersection':
      return new TypeValue({ kind: node.kind, members: node.members.map(typeOfNode) });
    case 'functionType':
      return new TypeValue({
        kind: 'function',
        params: node.params.map(({ type }) => typeOfNode(type)),
        result: typeOfNode(node.result),
      });
    case 'objectType':
      return simpleType('Object');
    case 'literalType':
      return ANY;
  }
}
