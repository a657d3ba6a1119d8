import { isRecord } from '../../../../common/engine/model/is-record.js';
import type { JsonSchema } from '../../../../common/engine/api/workflow-directory.js';

type Json = Readonly<Record<string, unknown>>;

const componentRef = /^#\/components\/schemas\/([^/]+)$/;
/** Schemas of other kinds that a schema holds, by keyword. */
const inOne = new Set([
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems',
]);
const inList = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const inMap = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
/** Words of OpenAPI that say nothing to a validator. */
const dropped = new Set(['discriminator', 'xml', 'externalDocs', 'nullable', 'example', 'deprecated']);

/** A reference that leads nowhere, or out of the document. */
export class UnusableReference extends Error {}

/**
 * Turns schemas of an OpenAPI document into JSON Schema 2020-12. References stay references, so that a type that holds
 * itself ends: `#/components/schemas/X` becomes `#/$defs/X`, and {@link defs} has every X that was met. 3.0's `nullable`
 * and boolean bounds become what 2020-12 says instead.
 */
export class SchemaTranslator {
  readonly #defs = new Map<string, JsonSchema>();

  constructor(
    private readonly document: Json,
    private readonly isVersion30: boolean,
  ) {}

  /** The definitions that the translated schemas refer to. */
  defs(): JsonSchema | null {
    return this.#defs.size === 0 ? null : Object.fromEntries(this.#defs);
  }

  /** @throws UnusableReference */
  translate(schema: unknown): JsonSchema | boolean {
    if (typeof schema === 'boolean') return schema;
    if (!isRecord(schema)) return {};
    if (typeof schema['$ref'] === 'string') return this.#reference(schema['$ref'], schema);
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (dropped.has(key) && this.isVersion30) continue;
      if (inOne.has(key)) out[key] = this.translate(value);
      else if (inList.has(key) && Array.isArray(value)) out[key] = value.map((one) => this.translate(one));
      else if (inMap.has(key) && isRecord(value)) out[key] = this.#each(value);
      else out[key] = value;
    }
    return this.isVersion30 ? modernised(out, schema) : out;
  }

  #each(schemas: Json): JsonSchema {
    return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, this.translate(one)]));
  }

  #reference(reference: string, schema: Json): JsonSchema {
    const name = componentRef.exec(reference)?.[1];
    if (name === undefined)
      throw new UnusableReference(`the reference ${reference} is not to a schema of this document`);
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    this.#define(key, reference);
    const target = { $ref: `#/$defs/${escaped(key)}` };
    if (this.isVersion30) return schema['nullable'] === true ? { anyOf: [target, { type: 'null' }] } : target;
    const siblings = Object.fromEntries(Object.entries(schema).filter(([word]) => word !== '$ref'));
    return { ...target, ...(this.translate(siblings) as JsonSchema) };
  }

  #define(key: string, reference: string): void {
    if (this.#defs.has(key)) return;
    const schemas = (this.document['components'] as Json | undefined)?.['schemas'] as Json | undefined;
    if (!isRecord(schemas) || !Object.hasOwn(schemas, key))
      throw new UnusableReference(`the reference ${reference} leads nowhere`);
    // Set before it is translated: a schema that holds itself meets itself here.
    this.#defs.set(key, {});
    this.#defs.set(key, this.translate(schemas[key]) as JsonSchema);
  }
}

/** What OpenAPI 3.0 says in its own way. */
function modernised(out: Record<string, unknown>, { nullable, example }: Json): JsonSchema {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (out[exclusive] === true) {
      out[exclusive] = out[bound];
      delete out[bound];
    } else if (out[exclusive] === false) delete out[exclusive];
  }
  if (example !== undefined) out['examples'] = [example];
  if (nullable !== true) return out;
  if (Array.isArray(out['enum']) && !out['enum'].includes(null))
    out['enum'] = [...(out['enum'] as unknown[]), null];
  if (typeof out['type'] === 'string') return { ...out, type: [out['type'], 'null'] };
  return 'allOf' in out || 'oneOf' in out || 'anyOf' in out ? { anyOf: [out, { type: 'null' }] } : out;
}

function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
