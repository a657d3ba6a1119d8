import { closest } from '../../engine/api/options.js';
import { entry, type MapNode, type SourceNode } from '../../engine/model/source-node.js';
import type { FieldDef } from '../../engine/model/tool-definition.js';
import { origins } from '../origins.js';
import type { Rule, RuleContext } from './rule.js';
import { everySchema, mapKeys, schemaKeys, subschemas } from './schema-nodes.js';

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const otherNames: Readonly<Record<string, string>> = {
  int: 'integer',
  bool: 'boolean',
  str: 'string',
  float: 'number',
  double: 'number',
  list: 'array',
  map: 'object',
  dict: 'object',
};

/** JSON Schema 2020-12, and what OpenAPI and draft 7 added. */
const keywords = [
  ...schemaKeys,
  ...mapKeys,
  ...(
    '$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment type ' +
    'enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength ' +
    'pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required ' +
    'dependentRequired dependencies additionalItems title description default deprecated readOnly writeOnly ' +
    'examples example format contentEncoding contentMediaType nullable discriminator xml externalDocs'
  ).split(' '),
];

export const doubtfulSchema: Rule = {
  id: 'doubtful-schema',
  sentence: 'A schema uses the words of JSON Schema.',
  check(context) {
    const { workspace } = context;
    for (const { definition } of workspace.tools) {
      for (const fields of [definition.input, definition.output]) {
        for (const field of Object.values(fields)) visitField(field, context);
      }
    }
    for (const root of everySchema(context)) {
      for (const schema of subschemas(root)) visit(schema, context);
    }
  },
};

function visit(schema: MapNode, context: RuleContext): void {
  for (const { key, place, value } of schema.entries) {
    if (key === 'type') checkTypes(value, context);
    else if (key === 'required') checkRequired(value, schema, context);
    else if (!keywords.includes(key)) {
      // Words of other vocabularies are annotations, and short ones are near to everything.
      const hint = key.length < 5 ? undefined : closest(key, keywords);
      if (hint && hint.length > 3)
        context.warning(
          place,
          `JSON Schema has no "${key}"; did you mean "${hint}"? It has no effect.`,
          hint,
        );
    }
  }
}

function checkTypes(node: SourceNode, { warning }: RuleContext): void {
  for (const item of node.kind === 'list' ? node.items : [node]) {
    if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.secret) continue;
    if (types.includes(item.value)) continue;
    const hint = meant(item.value);
    warning(
      item.place,
      `JSON Schema has no type "${item.value}"; ${hint ? `did you mean "${hint}"?` : `it has ${types.join(', ')}.`}`,
      hint,
    );
  }
}

/** To require what is not described is legal; to misspell it is not meant. */
function checkRequired(node: SourceNode, schema: MapNode, { warning }: RuleContext): void {
  const properties = entry(schema, 'properties');
  if (node.kind !== 'list' || properties?.kind !== 'map') return;
  const known = properties.entries.map(({ key }) => key);
  for (const item of node.items) {
    if (item.kind !== 'scalar' || typeof item.value !== 'string' || known.includes(item.value)) continue;
    const hint = closest(item.value, known);
    if (hint)
      warning(item.place, `There is no property "${item.value}" to require; did you mean "${hint}"?`, hint);
  }
}

/** Fields of a tool may have types of the author's own (`date`, `email`): only what looks misspelt is told. */
function visitField(field: FieldDef, context: RuleContext): void {
  const origin = origins.get(field);
  const hint = types.includes(field.type) ? undefined : meant(field.type);
  const place = origin?.kind === 'map' ? entry(origin, 'type')?.place : undefined;
  if (hint && place) {
    const message = `The type "${field.type}" is not checked; did you mean "${hint}"?`;
    context.warning(place, message, hint);
  }
  for (const inner of Object.values(field.fields ?? {})) visitField(inner, context);
  if (field.items) visitField(field.items, context);
}

function meant(type: string): string | undefined {
  const name = type.toLowerCase();
  if (Object.hasOwn(otherNames, name)) return otherNames[name];
  return name.length < 4 ? undefined : closest(name, types);
}
