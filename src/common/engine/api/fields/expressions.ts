import { HelixError } from '../../errors/helix-error.js';
import { isolate } from '../../model/isolate.js';
import { entry, plain, type SourceNode } from '../../model/source-node.js';
import type { Expression, Predicate } from '../expression.js';
import type { FieldReader } from '../route-builder.js';
import { ref, wrong, type Field, type InlineExtras, type Optional } from './field.js';

/** A constant as an expression. What it gives is a fresh copy each time, so that no step can change the workflow. */
export function literal(value: unknown, secret = false): Expression {
  const flat = typeof value !== 'object' || value === null;
  return {
    source: secret ? '***' : (JSON.stringify(value) ?? 'null'),
    evaluate: flat ? () => value : () => isolate(value),
  };
}

/** A condition that must give true or false: anything else is a failure, never taken for false. */
export function strict(expression: Expression): Predicate {
  return (exchange) => {
    const verdict = expression.evaluate(exchange);
    if (typeof verdict === 'boolean') return verdict;
    const found = verdict === null ? 'null' : Array.isArray(verdict) ? 'an array' : `a ${typeof verdict}`;
    throw new HelixError(
      'EXPRESSION.EVALUATION_FAILED',
      `The condition ${expression.source} must give true or false, but gave ${found}: compare it with something.`,
    );
  };
}

function isSecret(source: SourceNode): boolean {
  if (source.kind === 'scalar') return source.secret;
  if (source.kind === 'list') return source.items.some(isSecret);
  return source.entries.some(({ value }) => isSecret(value));
}

function readScript(source: SourceNode, reader: FieldReader): Expression {
  if (source.kind === 'scalar' && source.value !== null) {
    return reader.expression(String(source.value), source.place);
  }
  wrong(reader, source, 'A Starlang script is text.');
  return literal(null);
}

function readExpression(source: SourceNode, reader: FieldReader): Expression {
  if (source.kind === 'scalar') return literal(source.value, source.secret);
  if (source.kind === 'map' && source.entries.length === 1) {
    const script = entry(source, 'starlang');
    if (script) return readScript(script, reader);
    const value = entry(source, 'value');
    if (value) return literal(plain(value), isSecret(value));
  }
  wrong(
    reader,
    source,
    'Write { starlang: "…" } for a script or { value: … } for a literal, one of the two.',
  );
  return literal(null);
}

function readPredicate(source: SourceNode, reader: FieldReader): Predicate {
  if (source.kind === 'scalar' && typeof source.value === 'boolean') {
    const verdict = source.value;
    return () => verdict;
  }
  if (source.kind === 'scalar') return strict(readScript(source, reader));
  const script = source.kind === 'map' && source.entries.length === 1 ? entry(source, 'starlang') : undefined;
  if (script) return readPredicate(script, reader);
  wrong(reader, source, 'A condition is a Starlang script that gives true or false.');
  return () => false;
}

/**
 * A value computed per exchange: a literal scalar, `{ starlang }` or `{ value }`. With `inline` the two keys stand in the
 * step's own map (`set-body: { starlang: … }`).
 */
export function expression(sentence: string, extras: InlineExtras & Optional): Field<Expression | null>;
export function expression(sentence: string, extras?: InlineExtras): Field<Expression>;
export function expression(
  sentence: string,
  { inline, shorthand, optional }: InlineExtras & Partial<Optional> = {},
): Field<Expression | null> {
  return {
    kind: 'expression',
    sentence,
    required: !optional,
    fallback: optional ? null : literal(null),
    schema: inline
      ? {
          properties: {
            starlang: { type: 'string', description: `${sentence} As a Starlang script.` },
            value: { description: `${sentence} As a literal.` },
          },
        }
      : ref('expression'),
    ...(inline ? { inline: ['starlang', 'value'] } : {}),
    ...(shorthand ? { shorthand, shorthandSchema: { type: ['string', 'number', 'boolean'] } } : {}),
    read: readExpression,
  };
}

/** A condition: a Starlang script that must give true or false. With `inline` its key is the step's own `starlang`. */
export function predicate(sentence: string, extras: InlineExtras & Optional): Field<Predicate | null>;
export function predicate(sentence: string, extras?: InlineExtras): Field<Predicate>;
export function predicate(
  sentence: string,
  { inline, shorthand, optional }: InlineExtras & Partial<Optional> = {},
): Field<Predicate | null> {
  return {
    kind: 'predicate',
    sentence,
    required: !optional,
    fallback: optional ? null : () => false,
    schema: inline
      ? { properties: { starlang: { type: ['string', 'boolean'], description: sentence } } }
      : ref('predicate'),
    ...(inline ? { inline: ['starlang'] } : {}),
    ...(shorthand ? { shorthand, shorthandSchema: { type: ['string', 'boolean'] } } : {}),
    read: readPredicate,
  };
}

/** Named expressions: a map from name to expression. With `rest` all unclaimed keys of the step's own map. */
export function expressions(
  sentence: string,
  extras: { readonly rest?: boolean } = {},
): Field<ReadonlyMap<string, Expression>> {
  return {
    kind: 'expressions',
    sentence,
    required: true,
    fallback: new Map(),
    schema: { type: 'object', additionalProperties: ref('expression') },
    ...(extras.rest ? { inline: 'rest' } : {}),
    read(source, reader) {
      if (source.kind === 'map') {
        return new Map(source.entries.map(({ key, value }) => [key, readExpression(value, reader)]));
      }
      wrong(reader, source, 'Write a map from name to value.');
      return new Map();
    },
  };
}
