import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { standardSteps } from '../../steps/index.js';
import { shapeDefs, shapeSchema } from './shape-schema.js';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });

function accepts(keyword: string, value: unknown): boolean {
  const type = standardSteps().find((each) => each.keyword === keyword);
  if (!type) throw new Error(`no step ${keyword}`);
  const $defs = { ...shapeDefs, steps: { type: 'array' } };
  return ajv.validate({ ...shapeSchema(type.shape), $defs }, value);
}

describe('the JSON Schema of a step', () => {
  it.each([
    ['set-body', { starlang: 'payload' }],
    ['set-body', { value: [1] }],
    ['set-body', 'text'],
    ['set-header', { name: 'a', value: 1 }],
    ['set-headers', { a: 1, b: { starlang: 'x' } }],
    ['remove-headers', ['a*', 'b']],
    ['remove-headers', { pattern: '*', exclude: 'a' }],
    ['target', 'direct://x'],
    ['target', { uri: 'direct://x', parameters: { a: 1 } }],
    ['target', { starlang: '"direct://" + payload' }],
    ['choice', { when: [{ starlang: 'true', steps: [] }], otherwise: [] }],
    ['filter', 'payload.ok'],
    ['filter', { starlang: 'true', steps: [] }],
    ['log', { starlang: 'payload', level: 'warn' }],
    ['throw', null],
    ['stop', null],
  ])('of %s accepts %j', (keyword, value) => {
    expect(accepts(keyword, value)).toBe(true);
  });

  it.each([
    ['set-body', { starlang: 'payload', value: 1 }],
    ['set-body', {}],
    ['set-body', null],
    ['set-header', { value: 1 }],
    ['set-header', { name: 'a', valeu: 1 }],
    ['transform', 'payload'],
    ['choice', { otherwise: [] }],
    ['log', { starlang: 'x', level: 'loud' }],
    ['stop', { now: true }],
  ])('of %s refuses %j', (keyword, value) => {
    expect(accepts(keyword, value)).toBe(false);
  });
});
