import { entry, type MapNode, type Place } from '../../engine/model/source-node.js';
import type { FieldDef } from '../../engine/model/tool-definition.js';
import { origins } from '../origins.js';
import type { Rule, RuleContext } from './rule.js';

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
};

export const fieldDefaults: Rule = {
  id: 'field-default',
  sentence: 'The default and the enum of a field have its type, and the default is among the enum.',
  check(context) {
    for (const { definition } of context.workspace.tools) {
      for (const fields of [definition.input, definition.output]) visitAll(fields, '', context);
    }
  },
};

function visitAll(fields: Readonly<Record<string, FieldDef>>, path: string, context: RuleContext): void {
  for (const [name, field] of Object.entries(fields)) visit(field, `${path}${name}`, context);
}

function visit(field: FieldDef, path: string, context: RuleContext): void {
  const origin = origins.get(field);
  const place = (key: string): Place | undefined =>
    origin?.kind === 'map' ? (entry(origin satisfies MapNode, key)?.place ?? origin.place) : undefined;
  const test = Object.hasOwn(fits, field.type) ? fits[field.type] : undefined;
  const at = place('default');
  if (at && field.default !== undefined && field.default !== null) {
    if (test && !test(field.default)) context.error(at, `The default of "${path}" is no ${field.type}.`);
    else if (field.enum && !field.enum.some((value) => same(value, field.default))) {
      context.error(
        at,
        `The default of "${path}" is not among its enum: ${field.enum.map(show).join(', ')}.`,
      );
    }
  }
  const enumAt = place('enum');
  const odd = test ? field.enum?.find((value) => value !== null && !test(value)) : undefined;
  if (enumAt && odd !== undefined)
    context.error(enumAt, `${show(odd)} in the enum of "${path}" is no ${field.type}.`);
  if (field.fields) visitAll(field.fields, `${path}.`, context);
  if (field.items) visit(field.items, `${path}[]`, context);
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const show = (value: unknown): string => JSON.stringify(value);
