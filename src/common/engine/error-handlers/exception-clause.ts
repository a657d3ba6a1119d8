import type { Predicate } from '../api/expression.js';
import * as fields from '../api/fields/index.js';
import type { FieldReader } from '../api/route-builder.js';
import type { Processor } from '../api/processor.js';
import type { StepNode } from '../model/workflow-definition.js';
import type { Place, SourceNode } from '../model/source-node.js';
import { isErrorCode } from '../errors/error-codes.js';
import type { HelixError } from '../errors/helix-error.js';
import type { Exchange } from '../model/exchange.js';
import { retryPolicy, retryShape, type RetryPolicy } from './retry-policy.js';

/** One entry of `on-exception`. */
export interface ExceptionClause {
  readonly place: Place;
  readonly matchers: readonly Matcher[];
  readonly when: Predicate | null;
  /** Null: the error handler's own retries. */
  readonly retry: RetryPolicy | null;
  readonly outcome: 'handled' | 'continued' | 'passed-on';
  readonly steps: Processor | null;
}

interface Matcher {
  /** Higher is more specific: an exact code before a longer prefix before a shorter one before anything. */
  readonly rank: number;
  fits(code: string, message: string): boolean;
}

export const clauseShape = {
  match: fields.texts(
    'Error codes, prefixes (MCP.*) or /patterns/ on "CODE: message"; without it every failure.',
  ),
  when: fields.predicate('The clause counts only where this holds; the failure is readable as error.', {
    optional: true,
  }),
  ...retryShape,
  handled: fields.flag('What the clause gives is the outcome: the workflow ends without a failure.'),
  continued: fields.flag('The workflow goes on with the next step.'),
  steps: fields.steps('What to do once the retries are used up.', { optional: true }),
} as const;

const EXACT = 1_000_000;
const PATTERN = 1;

function matcher(text: string): Matcher {
  const pattern = /^\/(.*)\/([i]?)$/s.exec(text);
  if (pattern) {
    const regex = new RegExp(pattern[1] ?? '', pattern[2]);
    return { rank: PATTERN, fits: (code, message) => regex.test(`${code}: ${message}`) };
  }
  if (text.endsWith('*')) {
    const prefix = text.slice(0, -1).toUpperCase();
    return { rank: PATTERN + prefix.length, fits: (code) => code.toUpperCase().startsWith(prefix) };
  }
  return { rank: EXACT, fits: (code) => code.toUpperCase() === text.toUpperCase() };
}

/** Reads `on-exception`: a list of clauses, or one. `compile` turns the clause's steps into a processor. */
export function readClauses(
  source: SourceNode,
  reader: FieldReader,
  compile: (steps: readonly StepNode[]) => Processor,
): readonly ExceptionClause[] {
  return (source.kind === 'list' ? source.items : [source]).map((item) => {
    const values = fields.readShape(item, clauseShape, reader);
    if (values.handled && values.continued) {
      reader.problem({
        severity: 'error',
        rule: 'wrong-value',
        message: 'A clause is either handled (the workflow ends) or continued (it goes on), not both.',
        place: item.place,
      });
    }
    return {
      place: item.place,
      matchers: readMatchers(values.match, item, reader),
      when: values.when,
      retry: retryPolicy(values),
      outcome: values.handled ? 'handled' : values.continued ? 'continued' : 'passed-on',
      steps: values.steps === null ? null : compile(values.steps),
    };
  });
}

/** What `match` means; without it every failure. */
export function readMatchers(
  match: readonly string[],
  item: SourceNode,
  reader: FieldReader,
): readonly Matcher[] {
  return match.length === 0 ? [matcher('*')] : match.flatMap((text) => compiled(text, item, reader));
}

function compiled(text: string, item: SourceNode, reader: FieldReader): readonly Matcher[] {
  try {
    return [matcher(text)];
  } catch {
    reader.problem({
      severity: 'error',
      rule: 'wrong-value',
      message: `${text} is no regular expression.`,
      place: item.place,
    });
    return [];
  }
}

/** The code people match on: a `throw` step's own code where it gave one. */
export function matchedCode(failure: HelixError): string {
  const own = failure.details['code'];
  return failure.code === 'ENGINE.THROWN' && typeof own === 'string' && !isErrorCode(own)
    ? own
    : failure.code;
}

/**
 * The clause that deals with the failure: of the workflow's clauses the most specific that fits, else of the workspace's.
 * Among equals the first written wins. `when` is asked in that order, and may fail.
 */
export function clauseFor(
  failure: HelixError,
  exchange: Exchange,
  levels: readonly (readonly ExceptionClause[])[],
): ExceptionClause | null {
  const code = matchedCode(failure);
  for (const clauses of levels) {
    const fitting = clauses
      .map((clause) => ({
        clause,
        rank: Math.max(
          -1,
          ...clause.matchers.filter((each) => each.fits(code, failure.message)).map(({ rank }) => rank),
        ),
      }))
      .filter(({ rank }) => rank >= 0)
      .sort((a, b) => b.rank - a.rank);
    for (const { clause } of fitting) {
      if (clause.when === null || clause.when(exchange)) return clause;
    }
  }
  return null;
}
