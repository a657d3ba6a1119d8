import { describe, expect, it } from 'vitest';
import type { Field } from '../../engine/api/fields/index.js';
import { clauseShape } from '../../engine/error-handlers/exception-clause.js';
import { errorHandlerShape } from '../../engine/error-handlers/read-error-handler.js';
import { standardSteps } from '../../engine/steps/index.js';
import { kindOfText } from './text-kinds.js';

/** The keys under which a field's text may stand: its own, and the step's keyword where it may stand for the whole. */
function keysOf(keyword: string, name: string, field: Field<unknown>): readonly string[] {
  const own = field.inline === undefined ? [name] : field.inline === 'rest' ? [] : field.inline;
  return field.shorthand ? [...own, keyword] : own;
}

const fields = [
  ...standardSteps().flatMap(({ keyword, aliases, shape }) =>
    Object.entries(shape).flatMap(([name, field]) =>
      [keyword, ...aliases].map((word) => ({ keys: keysOf(word, name, field), kind: field.kind })),
    ),
  ),
  ...[errorHandlerShape, clauseShape].flatMap((shape) =>
    Object.entries(shape).map(([name, field]) => ({ keys: keysOf('', name, field), kind: field.kind })),
  ),
];

const keysOfKind = (kind: string): readonly string[] => [
  ...new Set(fields.filter((field) => field.kind === kind).flatMap(({ keys }) => keys)),
];

describe('kindOfText', () => {
  it.each(keysOfKind('uri').filter((key) => key !== 'parameters'))(
    'takes the text of "%s" for a URI',
    (key) => {
      expect(kindOfText(key, 'text')).toBe('uri');
    },
  );

  it.each(keysOfKind('predicate'))('takes the text of "%s" for a script', (key) => {
    expect(kindOfText(key, 'text')).toBe('script');
  });

  it('leaves what is data alone, whatever its keys are called', () => {
    expect(kindOfText('value', 'text')).toBe('data');
    expect(kindOfText('uri', 'data')).toBe('data');
    expect(kindOfText('starlang', 'data')).toBe('data');
    expect(kindOfText('message', 'script')).toBe('text');
  });
});
