import { expect, test } from 'vitest';
import { downConvert } from './down-convert.js';

function convertSchema(schema: object): unknown {
  const document = { openapi: '3.1.1', info: {}, components: { schemas: { S: schema } } };
  return (downConvert(document) as { components: { schemas: { S: unknown } } }).components.schemas.S;
}

test.each([
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [{ type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  [
    { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
    { allOf: [{ $ref: '#/components/schemas/A' }], nullable: true },
  ],
  [{ const: 'treg' }, { enum: ['treg'] }],
  [
    { type: ['string', 'null'], enum: ['a', null] },
    { type: 'string', nullable: true, enum: ['a'] },
  ],
  [
    { type: 'string', examples: ['a', 'b'] },
    { type: 'string', example: 'a' },
  ],
  [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: true },
  ],
  [
    { $ref: '#/components/schemas/A', description: 'x' },
    { allOf: [{ $ref: '#/components/schemas/A' }], description: 'x' },
  ],
  [
    { properties: { const: { type: 'string' }, examples: { type: ['string', 'null'] } } },
    { properties: { const: { type: 'string' }, examples: { type: 'string', nullable: true } } },
  ],
  [
    { type: 'object', example: { type: ['a', 'null'], const: 1 } },
    { type: 'object', example: { type: ['a', 'null'], const: 1 } },
  ],
])('%j', (newer, older) => {
  expect(convertSchema(newer)).toEqual(older);
});

test('nullable references tell the type of what they refer to', () => {
  const schemas = {
    A: { type: 'object' },
    B: { properties: { a: { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] } } },
  };
  expect(downConvert({ openapi: '3.1.1', info: {}, components: { schemas } })).toMatchObject({
    components: {
      schemas: {
        B: {
          properties: { a: { type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/A' }] } },
        },
      },
    },
  });
});
