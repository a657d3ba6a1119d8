import { expect, test } from 'vitest';
import type { AskedQuestion } from '../../../common/engine/model/caller-link.js';
import { MemoryTaskShelf } from './tasks.js';

const caps = { total: 3, perPrincipal: 2, lifeMs: 1000, pollMs: 10 };
const question: AskedQuestion = {
  question: { kind: 'form', message: 'Sure?', schema: { type: 'object', properties: {} } },
  isOptional: false,
  isBeforeTask: false,
  problems: (content) =>
    (content as { ok?: unknown }).ok === true ? [] : [{ path: '/ok', message: 'must be true' }],
};

const keysOf = (detail: object): readonly string[] =>
  Object.keys((detail as { inputRequests?: object }).inputRequests ?? {});

test('a task belongs to who opened it, under an id nobody guesses', () => {
  const shelf = new MemoryTaskShelf(caps);
  const task = shelf.open('a', new AbortController());
  expect(task.id).toMatch(/^[\w-]{32}$/);
  expect(shelf.find(task.id, 'a')).toBe(task);
  expect(shelf.find(task.id, 'b')).toBeUndefined();
});

test('no more tasks than the caps allow; those too old are cancelled and make room', () => {
  let now = 0;
  const shelf = new MemoryTaskShelf(caps, () => now);
  const call = new AbortController();
  shelf.open('a', call);
  shelf.open('a', new AbortController());
  expect(() => shelf.open('a', new AbortController())).toThrow('Too many tasks');
  shelf.open('b', new AbortController());
  expect(() => shelf.open('c', new AbortController())).toThrow('Too many tasks');
  now = 1000;
  expect(call.signal.aborted).toBe(false);
  shelf.open('a', new AbortController());
  expect(call.signal.aborted).toBe(true);
  expect(shelf.size).toBe(1);
});

test('waits for every answer, takes only sound ones, and tells each change', async () => {
  const shelf = new MemoryTaskShelf(caps);
  const told: unknown[] = [];
  shelf.onChange((task) => told.push((task.summary() as { status: string }).status));
  const task = shelf.open('a', new AbortController());
  const answers = task.ask(
    new Map([
      ['one', question],
      ['two', question],
    ]),
  );
  const [one = '', two = ''] = keysOf(task.detail());
  const sound = { action: 'accept', content: { ok: true } };
  task.update({ [one]: sound, [two]: { action: 'accept', content: { ok: false } }, other: sound });
  expect(keysOf(task.detail())).toEqual([two]);
  expect(task.detail()).toMatchObject({ status: 'input_required' });
  task.update({ [two]: { action: 'decline' } });
  expect([...(await answers)]).toEqual([
    ['one', sound],
    ['two', { action: 'decline' }],
  ]);
  task.complete({ content: [] });
  task.fail({ code: 1, message: 'too late' });
  expect(task.detail()).toMatchObject({ status: 'completed', result: { content: [] } });
  expect(told).toEqual(['input_required', 'input_required', 'working', 'completed']);
});

test('cancelled while it waits, it ends with its question', async () => {
  const call = new AbortController();
  const task = new MemoryTaskShelf(caps).open('a', call);
  const answers = task.ask(new Map([['one', question]]));
  task.cancel();
  await expect(answers).rejects.toThrow('cancelled the task');
  expect(call.signal.aborted).toBe(true);
  expect(keysOf(task.detail())).toEqual([]);
  task.cancel();
  task.complete({});
  expect(task.detail()).toMatchObject({ status: 'cancelled' });
});
