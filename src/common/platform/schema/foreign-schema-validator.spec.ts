import { describe, expect, it } from 'vitest';
import { ForeignSchemaValidator } from './foreign-schema-validator.js';

/** Each definition is tried twice by the one before it: 2^40 steps for any value. */
const doubling = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, depth) => [
      `d${depth}`,
      depth === 40
        ? { type: 'string' }
        : {
            anyOf: [{ allOf: [{ $ref: `#/$defs/d${depth + 1}` }, false] }, { $ref: `#/$defs/d${depth + 1}` }],
          },
    ]),
  ),
};

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

describe('a schema of strangers', () => {
  it('is checked by as any other', () => {
    const validator = new ForeignSchemaValidator();
    const schema = { type: 'object', required: ['city'] };
    validator.accept(schema);
    expect(validator.check(schema, { city: 'Ulm' })).toEqual([]);
    expect(validator.check(schema, {})).toMatchObject([{ path: '/city', message: 'is required' }]);
  });

  it('holds nobody up with a pattern that only backtracking can match', () => {
    const validator = new ForeignSchemaValidator();
    const schema = { type: 'string', pattern: '^(?=(a+)+$)b' };
    validator.accept(schema);
    const text = `${'a'.repeat(40)}!`;
    expect(
      timed(() => expect(validator.check(schema, text)).toMatchObject([{ code: 'schema' }])),
    ).toBeLessThan(2_000);
    // Not tried a second time, while the schemas of others still work.
    expect(timed(() => validator.check(schema, text))).toBeLessThan(50);
    expect(validator.check({ type: 'number' }, 'x')).toHaveLength(1);
  });

  it('holds nobody up with branches that double', () => {
    const validator = new ForeignSchemaValidator();
    expect(() => validator.accept(doubling)).toThrow(/took longer/);
    expect(validator.check(doubling, 1)).toMatchObject([{ code: 'schema' }]);
  });

  it('is refused where it refers to another document', () => {
    expect(() => new ForeignSchemaValidator().accept({ $ref: 'https://evil.example/schema' })).toThrow(
      /evil\.example/,
    );
  });
});
