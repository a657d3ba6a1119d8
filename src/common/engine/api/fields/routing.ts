import type { StepNode, UriNode } from '../../model/workflow-definition.js';
import { ref, type Extras, type Field, type InlineExtras, type Optional } from './field.js';
import { readSteps } from './read-steps.js';
import { readUri } from './read-uri.js';

/** Steps to hand to `build.pipeline`. */
export function steps(sentence: string, extras: Extras & Optional): Field<readonly StepNode[] | null>;
export function steps(sentence: string, extras?: Extras): Field<readonly StepNode[]>;
export function steps(
  sentence: string,
  { shorthand, optional }: Extras & Partial<Optional> = {},
): Field<readonly StepNode[] | null> {
  return {
    kind: 'steps',
    sentence,
    required: !optional,
    fallback: optional ? null : [],
    schema: ref('steps'),
    ...(shorthand ? { shorthand } : {}),
    read: (source, reader) => readSteps(source, (problem) => reader.problem(problem)),
  };
}

/** A target to hand to `build.send`. With `inline` its keys `uri` and `parameters` stand in the step's own map. */
export function uri(sentence: string, extras: InlineExtras & Optional): Field<UriNode | null>;
export function uri(sentence: string, extras?: InlineExtras): Field<UriNode>;
export function uri(
  sentence: string,
  { inline, shorthand, optional }: InlineExtras & Partial<Optional> = {},
): Field<UriNode | null> {
  const place = { file: '', line: 1, column: 1 };
  const nowhere: UriNode = { uri: '', parameters: {}, secrets: new Set(), place };
  return {
    kind: 'uri',
    sentence,
    required: !optional,
    fallback: optional ? null : nowhere,
    schema: inline
      ? {
          properties: {
            uri: { type: 'string', description: sentence },
            parameters: { type: 'object', description: 'Options of the URI; values need no escaping here.' },
          },
          required: ['uri'],
        }
      : ref('uri'),
    ...(inline ? { inline: ['uri', 'parameters'] } : {}),
    ...(shorthand ? { shorthand, shorthandSchema: { type: 'string' } } : {}),
    read: (source, reader) =>
      readUri(source, (problem) => reader.problem(problem)) ?? { ...nowhere, place: source.place },
  };
}
