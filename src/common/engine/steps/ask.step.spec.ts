import { describe, expect, it } from 'vitest';
import type { AskedQuestion, CallerLink } from '../model/caller-link.js';
import { problemsOf, runSteps } from '../testing/run-steps.js';

/** A caller that keeps what it is told and gives scripted answers. */
function caller(answers: Readonly<Record<string, unknown>> = {}) {
  const told: unknown[] = [];
  const asked = new Map<string, AskedQuestion>();
  const link: CallerLink = {
    log: (...line) => void told.push(line),
    progress: (progress) => void told.push(progress),
    ask: async (questions) => {
      for (const [name, question] of questions) asked.set(name, question);
      return new Map(Object.entries(answers));
    },
  };
  return { link, told, asked };
}

const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };

describe('ask', () => {
  it('asks everything at once and keeps the answers under their names', async () => {
    const { link, asked } = caller({ sure: { action: 'accept' } });
    const questions = {
      sure: { message: { starlang: '"Delete " + payload + "?"' }, schema, 'before-task': true },
      page: { message: 'Sign in', url: 'https://id.example/' },
      text: {
        sample: { starlang: '[{ role: "user", content: payload }]' },
        system: 'Be brief.',
        optional: true,
      },
      folders: { roots: true },
    };
    const steps = [{ ask: { questions } }, { 'set-body': { starlang: 'vars.answers.sure.action' } }];
    expect((await runSteps(steps, { body: 'x', link })).body).toBe('accept');
    expect([...asked].map(([name, { question }]) => [name, question])).toEqual([
      ['sure', { kind: 'form', message: 'Delete x?', schema }],
      ['page', { kind: 'url', message: 'Sign in', url: 'https://id.example/' }],
      [
        'text',
        { kind: 'sample', prompt: [{ role: 'user', content: 'x' }], system: 'Be brief.', maxTokens: 1000 },
      ],
      ['folders', { kind: 'roots' }],
    ]);
    expect(asked.get('sure')).toMatchObject({ isBeforeTask: true, isOptional: false });
    expect(asked.get('text')).toMatchObject({ isBeforeTask: false, isOptional: true });
  });

  it('fails where nobody can be asked, and for a page that is none', async () => {
    const roots = { questions: { folders: { roots: true } } };
    expect((await runSteps([{ ask: roots }])).failure?.code).toBe('ENGINE.NOBODY_TO_ASK');
    const script = { questions: { page: { message: 'Go', url: { starlang: '"javascript:alert(1)"' } } } };
    const failed = await runSteps([{ ask: script }], { link: caller().link });
    expect(failed.failure?.code).toBe('EXPRESSION.EVALUATION_FAILED');
  });

  it.each([
    ['no question', {}],
    ['a question of no kind', { q: { message: 'Well?' } }],
    ['a question of two kinds', { q: { message: 'Well?', schema, roots: true } }],
    ['a form without a message', { q: { schema } }],
    ['a form that is no object', { q: { message: 'Well?', schema: { type: 'string' } } }],
    ['a form in a form', { q: { message: 'Well?', schema: { type: 'object', properties: { a: schema } } } }],
    ['an unknown key', { q: { roots: true, rots: true } }],
  ])('is refused with %s', (_what, questions) => {
    expect(problemsOf([{ ask: { questions } }])).not.toEqual([]);
  });
});

describe('progress and log', () => {
  it('tell the caller, and leave the message', async () => {
    const { link, told } = caller();
    const steps = [
      { progress: 0 },
      { progress: { done: { starlang: 'payload' }, total: 2, message: 'half' } },
      { log: { value: 'hello', to: 'caller', level: 'warn' } },
      { log: 'for the operator' },
    ];
    expect((await runSteps(steps, { body: 1, link })).body).toBe(1);
    expect(told).toEqual([
      { progress: 0, total: null, message: null },
      { progress: 1, total: 2, message: 'half' },
      ['warning', 'hello', 'w'],
    ]);
  });

  it('do nothing where nobody listens', async () => {
    const steps = [{ progress: 1 }, { log: { value: 'hello', to: 'caller' } }];
    expect((await runSteps(steps)).failure).toBeNull();
  });

  it('fails for a progress that is no number', async () => {
    const { failure } = await runSteps([{ progress: { done: 'much' } }], { link: caller().link });
    expect(failure?.code).toBe('EXPRESSION.EVALUATION_FAILED');
  });
});
