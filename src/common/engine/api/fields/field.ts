import type { SourceNode } from '../../model/source-node.js';
import type { FieldReader } from '../route-builder.js';
import type { JsonSchema } from '../workflow-directory.js';

/** One thing that may stand under a step's keyword. Fields are made by the functions of this folder. */
export interface Field<T> {
  readonly kind: string;
  readonly sentence: string;
  readonly required: boolean;
  /** The value where the field is absent. */
  readonly fallback: T;
  /** JSON Schema of the value, for editors; see `shapeSchema` for the `$ref`s it may hold. */
  readonly schema: JsonSchema;
  /**
   * The field has no key of its own: these keys of the step's own map belong to it (`starlang`, `value`), or with
   * `rest` every key that no other field claims.
   */
  readonly inline?: readonly string[] | 'rest';
  /** A step body that is no map is this field (`log: "text"`, `target: uri`). */
  readonly shorthand?: boolean;
  /** JSON Schema of the shorthand form, where it differs from `schema`. */
  readonly shorthandSchema?: JsonSchema;
  /** Reports what is wrong to `reader.problem` and then answers `fallback`; never throws. */
  read(source: SourceNode, reader: FieldReader): T;
}

export type Shape = Readonly<Record<string, Field<unknown>>>;
export type ShapeValues<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Field<infer V> ? V : never;
};

export interface Extras {
  readonly shorthand?: boolean;
}
export interface InlineExtras extends Extras {
  readonly inline?: boolean;
}
export interface Optional {
  readonly optional: true;
}

export const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

export function wrong(reader: FieldReader, source: SourceNode, sentence: string): void {
  reader.problem({ severity: 'error', rule: 'wrong-value', message: sentence, place: source.place });
}

export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
