import * as fc from 'fast-check';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../../support/documented-api.js';

export interface FuzzedRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** What a program or an attacker may send where a value is expected. */
const hostile = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  'x'.repeat(5_000),
  'a\u0000b',
  '\ud800',
  '😀'.repeat(300),
  "'; DROP TABLE tool_call; --",
  '../../etc/passwd',
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_992,
  true,
  [],
  [null],
  {},
  { constructor: { prototype: 1 } },
);
const hostileTexts = [
  '',
  ' ',
  '%00',
  '%E0%A4%A',
  '..%2f..',
  'x'.repeat(3_000),
  '%F0%9F%98%80',
  'NaN',
  '-1',
  '٣',
];
const hostileBodies = [
  '{',
  '[]',
  'null',
  '"x"',
  '{"a":1,"a":2}',
  '\u0000',
  '['.repeat(200),
  '{"__proto__":{}}',
];
const hostileHeaders = [
  '',
  'x',
  '"1"',
  '"99999999999999999999"',
  '*',
  'wait=9e9',
  'wait=1',
  'ÿ',
  ';;;,,,',
  'a'.repeat(2_000),
];

/** Requests to one operation, made from its description in the document: fitting ones, and ones that are bent. */
export class RequestsOf {
  /** `known`: ids that exist, for addresses and for bodies; the workspace first. */
  constructor(
    readonly document: OpenApiDocument,
    readonly known: readonly string[],
  ) {}

  arbitrary(template: string, operation: OpenApiOperation): fc.Arbitrary<FuzzedRequest> {
    const parameters = operation.parameters ?? [];
    const named = (place: OpenApiParameter['in']) => parameters.filter((parameter) => parameter.in === place);
    const media = operation.requestBody?.content['application/json'];
    return fc
      .record({
        path: fc.record(Object.fromEntries(named('path').map(({ name }) => [name, this.#id()]))),
        query: fc.record(
          Object.fromEntries(named('query').map(({ name, schema }) => [name, this.#queryValue(schema)])),
          { requiredKeys: [] },
        ),
        headers: fc.record(
          Object.fromEntries(named('header').map(({ name }) => [name, this.#headerValue(name)])),
          { requiredKeys: [] },
        ),
        type: fc.oneof(
          { weight: 9, arbitrary: fc.constant('application/json') },
          { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', '/') },
        ),
        body: media === undefined ? bodyNobodyAskedFor : this.#body(media.schema),
      })
      .map(({ path, query, headers, type, body }) => {
        const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
        const asked = Object.entries(query).flatMap(([name, values = []]) =>
          values.map((value) => `${name}=${value}`),
        );
        return {
          path: asked.length === 0 ? address : `${address}?${asked.join('&')}`,
          headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
          body,
        };
      });
  }

  #id(): fc.Arbitrary<string> {
    const free = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).map(encodeURIComponent);
    return fc.oneof(fc.constantFrom(...this.known), fc.constantFrom(...hostileTexts.filter(Boolean)), free);
  }

  #queryValue(schema: object): fc.Arbitrary<readonly string[]> {
    const fitting = this.#value(schema, 2).map((value) =>
      encodeURIComponent(String(value).replaceAll(/\p{Surrogate}/gu, '')),
    );
    const one = fc.oneof(fitting, fc.constantFrom(...hostileTexts), fc.constantFrom(...this.known));
    return fc.oneof(
      { weight: 5, arbitrary: one.map((value) => [value]) },
      { weight: 1, arbitrary: fc.tuple(one, one) },
    );
  }

  #headerValue(name: string): fc.Arbitrary<string> {
    const bent = fc.constantFrom(...hostileHeaders);
    if (name !== 'X-Organization-Id') return bent;
    const [own = '', ...others] = this.known;
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant(own) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
      { weight: 1, arbitrary: bent },
    );
  }

  #body(schema: object): fc.Arbitrary<string | undefined> {
    return fc.oneof(
      { weight: 5, arbitrary: asJson(this.#value(schema, 4)) },
      { weight: 3, arbitrary: asJson(this.#bent(schema)) },
      { weight: 1, arbitrary: fc.constantFrom(...hostileBodies, undefined) },
    );
  }

  /** A fitting object, one of whose members is replaced, taken away or added. */
  #bent(schema: object): fc.Arbitrary<unknown> {
    const names = Object.keys(this.#resolve(schema).properties ?? {});
    const change = fc.tuple(fc.constantFrom(...names, 'colour', '__proto__'), fc.option(hostile));
    return fc.tuple(this.#value(schema, 4), change).map(([value, [name, instead]]) => ({
      ...(value as object),
      [name]: instead,
    }));
  }

  #resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : this.#resolve(this.document.components.schemas[name] as Schema);
  }

  #value(told: Schema, depth: number): fc.Arbitrary<unknown> {
    const schema = this.#resolve(told);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return fc.oneof(...options.map((option) => this.#value(option, depth)));
    const types = [schema.type ?? 'any'].flat();
    return fc.oneof(...types.map((type) => this.#ofType(type, schema, depth)));
  }

  #ofType(type: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'string':
        return this.#text(schema);
      case 'integer':
      case 'number':
        return fc.integer({
          min: Math.max(schema.minimum ?? -1_000, -(2 ** 31)),
          max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1),
        });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(this.#value(schema.items ?? {}, depth - 1), { maxLength: 3 });
      case 'object':
        return schema.properties === undefined || depth <= 0
          ? fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
          : fc.record(
              Object.fromEntries(
                Object.entries(schema.properties).map(([name, member]) => [
                  name,
                  this.#value(member, depth - 1),
                ]),
              ),
              { requiredKeys: (schema.required ?? []) as never[] },
            );
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  #text({ pattern, format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
    if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
    if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    if (format === 'email') return fc.emailAddress();
    const free = fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: 'grapheme' });
    return fc.oneof({ weight: 3, arbitrary: free }, { weight: 1, arbitrary: fc.constantFrom(...this.known) });
  }
}

const asJson = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  arbitrary.map((value) => JSON.stringify(value));

const bodyNobodyAskedFor = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileBodies, '{}') },
);
