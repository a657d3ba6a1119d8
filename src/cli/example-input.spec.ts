import { expect, it } from 'vitest';
import { exampleInput } from './example-input.js';

it.each([
  [{ type: 'string', default: 'EUR', examples: ['USD'] }, 'EUR'],
  [{ type: 'string', examples: ['USD'], enum: ['GBP'] }, 'USD'],
  [{ type: 'string', enum: ['GBP'] }, 'GBP'],
  [{ type: 'string', description: 'Customer number, e.g. C-1042' }, 'C-1042'],
  [
    { type: 'string', description: 'What to look for, e.g. "How do I rotate a key?".' },
    'How do I rotate a key?',
  ],
  [{ type: 'string', description: 'A name' }, 'hello'],
  [{ type: 'integer', minimum: 3, description: 'e.g. 7' }, 3],
  [{ type: ['null', 'string'] }, null],
])('of %j gives %j', (property, value) => {
  const schema = { type: 'object', properties: { x: property, y: { type: 'string' } }, required: ['x'] };
  expect(exampleInput(schema)).toEqual({ x: value });
});
