import { describe, expect, it } from 'vitest';
import type { SchemaValidator } from '../api/ports.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';
import { startEngine } from '../testing/test-engine.js';

/** Knows one keyword, `const`. */
const validator: SchemaValidator = {
  compile(schema) {
    if (schema['type'] === 'broken') throw new Error('no such type');
    return (value) =>
      value === schema['const'] ? [] : [{ path: '/a', code: 'const', message: 'must be the constant' }];
  },
};

async function validated(step: unknown, body: unknown) {
  const { engine } = await startEngine({
    validator,
    workflows: [{ id: 'w', from: 'test://w', steps: [{ validate: step }] }],
  });
  const exchange = engine.exchange('w', { body });
  await engine.run('w', exchange);
  return exchange;
}

describe('validate', () => {
  it('tells every violation of the schema, for the caller to read', async () => {
    expect((await validated({ schema: { const: 1 } }, 1)).failure).toBeNull();
    const { failure } = await validated({ schema: { const: 1 } }, 2);
    expect(failure).toMatchObject({
      code: 'ENGINE.INVALID_MESSAGE',
      message: '/a: must be the constant',
      fields: [{ path: '/a', code: 'const' }],
    });
    expect(failure?.meaning).toMatchObject({ http: 422, exposure: 'caller' });
  });

  it('holds a rule, in short or with a message', async () => {
    expect((await runSteps([{ validate: 'payload > 1' }], { body: 2 })).failure).toBeNull();
    const { failure } = await runSteps([{ validate: { starlang: 'payload > 1', message: 'Too few.' } }], {
      body: 1,
    });
    expect(failure).toMatchObject({ code: 'ENGINE.INVALID_MESSAGE', message: 'Too few.' });
    expect((await runSteps([{ validate: 'payload' }], { body: 1 })).failure?.code).toBe(
      'EXPRESSION.EVALUATION_FAILED',
    );
  });

  it('is checked when the workspace is', async () => {
    expect(problemsOf([{ validate: {} }])[0]).toMatchObject({ rule: 'missing-key' });
    expect(problemsOf([{ validate: { schema: {} } }])[0]).toMatchObject({ rule: 'wrong-schema' });
    await expect(validated({ schema: { type: 'broken' } }, 1)).rejects.toThrow(/no such type/);
    await expect(validated({ schema: 'text' }, 1)).rejects.toThrow(/is a map/);
  });
});
