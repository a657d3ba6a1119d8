import { describe, expect, it } from 'vitest';
import { JsonSchemaValidator } from './json-schema-validator.js';

const validator = new JsonSchemaValidator();
const findings = (schema: Record<string, unknown>, value: unknown): string[] =>
  validator
    .compile(schema)(value)
    .map(({ path, message }) => `${path} ${message}`);

const tree = (leaf: string): Record<string, unknown> => ({
  $id: 'https://example/tree',
  'x-note': 1,
  properties: { leaf: { type: leaf }, child: { $ref: '#' } },
});

describe('a JSON Schema', () => {
  it('finds every problem with its place and what is allowed, and never the value', () => {
    const schema = {
      type: 'object',
      properties: { unit: { enum: ['C', 'F'] }, 'a/b': { type: 'integer' }, deep: { required: ['x'] } },
      unevaluatedProperties: false,
    };
    expect(findings(schema, { unit: 'secret', 'a/b': 1.5, deep: {}, more: 1 })).toEqual([
      '/unit must be one of "C", "F"',
      '/a~1b must be integer',
      '/deep/x is required',
      '/more is not an argument this tool has',
    ]);
  });

  it('is read as 2020-12, or as draft 07 where it says so', () => {
    expect(findings({ prefixItems: [{ type: 'string' }] }, [1])).toEqual(['/0 must be string']);
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
    expect(findings(old, [1])).toEqual(['/0 must be string']);
  });

  it('may have the id of another one, refer to itself, and hold foreign keywords', () => {
    expect(findings(tree('string'), { child: { leaf: 1 } })).toEqual(['/child/leaf must be string']);
    expect(findings(tree('number'), { child: { leaf: 1 } })).toEqual([]);
  });

  it('does not fetch what it refers to', () => {
    expect(() => validator.compile({ $ref: 'https://example/other' })).toThrow(/https:\/\/example\/other/);
  });

  it('matches patterns in linear time', () => {
    const started = performance.now();
    expect(findings({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(5000)}!`)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(2000);
    expect(findings({ type: 'string', pattern: '^(?=.*\\d)' }, 'no digit')).toHaveLength(1);
  });

  it('keeps the patterns of one schema apart', () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
    expect(findings(schema, { a: 'a', b: 'b' })).toEqual([]);
    expect(findings(schema, { a: 'b', b: 'a' })).toHaveLength(2);
  });

  it('looks for one problem only where there may be thousands', () => {
    const many = Array.from({ length: 40_000 }, () => 'x');
    expect(findings({ items: { type: 'number' } }, many)).toHaveLength(1);
  });

  it('is compiled once', () => {
    const schema = { type: 'object' };
    expect(validator.compile(schema)).toBe(validator.compile(schema));
  });
});
