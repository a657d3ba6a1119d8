/*
 * OpenAPI 3.1 → 3.0.3 for generators that stop there. Only what our own documents use is converted: null types, const,
 * examples lists, exclusive bounds, and the members 3.0 does not know.
 */
import { typeNullableReferences } from './nullable-references.js';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

/** Members of schemas that came with JSON Schema 2020-12 and only describe further. */
const unknownTo30 = new Set([
  '$schema',
  '$id',
  '$comment',
  'contentEncoding',
  'contentMediaType',
  'propertyNames',
  'patternProperties',
  'unevaluatedProperties',
  'prefixItems',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
]);

/** A copy of the document as OpenAPI 3.0.3. */
export function downConvert(document: object): object {
  const plain = JSON.parse(JSON.stringify(document)) as JsonObject;
  const converted = convert(plain) as JsonObject;
  typeNullableReferences(converted);
  delete converted.webhooks;
  delete converted.jsonSchemaDialect;
  const info = converted.info as JsonObject;
  delete info.summary;
  if (isObject(info.license)) delete info.license.identifier;
  return { ...converted, openapi: '3.0.3' };
}

function convert(value: Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => convert(item));
  if (!isObject(value)) return value;
  // What stands here is the caller's data, not a schema.
  if (name === 'example' || name === 'default' || name === 'enum') return value;
  // Names of properties are free: one may be called `const`.
  const isNameTable = name === 'properties' || name === 'schemas' || name === 'responses' || name === 'paths';
  const members = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, convert(member, key)]),
  );
  return isNameTable ? members : convertSchema(members);
}

function convertSchema(schema: JsonObject): JsonObject {
  const { type, anyOf, oneOf, const: only, examples, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const result: JsonObject = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !unknownTo30.has(name)),
  );
  if (type !== undefined) Object.assign(result, convertType(type));
  for (const [name, options] of Object.entries({ anyOf, oneOf }))
    if (options !== undefined) Object.assign(result, convertOptions(name, options));
  if (only !== undefined) result.enum = [only];
  // 3.0.3 wants null among the values as well; generators of its time break on that, and read `nullable`.
  if (result.nullable === true && Array.isArray(result.enum) && 'type' in result)
    result.enum = result.enum.filter((one) => one !== null);
  if (Array.isArray(examples)) result.example ??= examples[0] ?? null;
  else if (examples !== undefined) result.examples = examples;
  Object.assign(result, convertBound('minimum', 'exclusiveMinimum', exclusiveMinimum));
  Object.assign(result, convertBound('maximum', 'exclusiveMaximum', exclusiveMaximum));
  // Beside a $ref 3.0 reads nothing else.
  if (typeof result.$ref === 'string' && Object.keys(result).length > 1 && !('in' in result)) {
    const { $ref, ...beside } = result;
    const isOfSchema = $ref.startsWith('#/components/schemas/');
    return isOfSchema ? { allOf: [{ $ref }], ...beside } : { $ref };
  }
  return result;
}

function convertType(type: Json): JsonObject {
  if (type === 'null') return { nullable: true, enum: [null] };
  if (!Array.isArray(type)) return { type };
  const named = type.filter((one) => one !== 'null');
  const nullable: JsonObject = named.length < type.length ? { nullable: true } : {};
  const [only] = named;
  if (named.length === 1 && only !== undefined) return { type: only, ...nullable };
  return { anyOf: named.map((one) => ({ type: one })), ...nullable };
}

function convertOptions(name: string, options: Json): JsonObject {
  if (!Array.isArray(options)) return { [name]: options };
  const named = options.filter(
    (option) => !(isObject(option) && option.nullable === true && 'enum' in option && !('type' in option)),
  );
  if (named.length === options.length) return { [name]: options };
  return named.length === 1 ? { allOf: named, nullable: true } : { [name]: named, nullable: true };
}

function convertBound(bound: string, exclusive: string, value: Json | undefined): JsonObject {
  if (value === undefined) return {};
  return typeof value === 'number' ? { [bound]: value, [exclusive]: true } : { [exclusive]: value };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
