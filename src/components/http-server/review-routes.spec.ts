import { describe, expect, it } from 'vitest';
import { makeEngine } from '../../common/engine/testing/test-engine.js';
import { workspaceOf } from '../../common/engine/testing/source.js';
import { HttpServerComponent } from './http-server.component.js';

const absent = {} as never;
const inert = { clock: { now: () => 0, schedule: () => () => {} }, ids: absent, log: absent };

/** What a check tells of workflows with these triggers, without starting any. */
function problemsOf(
  ...triggers: readonly (string | { from: string; disabled: boolean })[]
): readonly string[] {
  const { engine } = makeEngine({ components: [new HttpServerComponent(inert)] });
  const workflows = triggers.map((from, at) => ({
    id: `w${at + 1}`,
    steps: [],
    ...(typeof from === 'string' ? { from } : from),
  }));
  return engine.check(workspaceOf({ workflows })).map(({ rule, message }) => `${rule}: ${message}`);
}

describe('two workflows on one path', () => {
  it('are told when the workspace is checked', () => {
    const [problem, ...rest] = problemsOf(
      'http-server://127.0.0.1:8080/orders/{id}',
      'http-server://127.0.0.1:8080/orders/{key}?method=POST,PUT',
    );
    expect(problem).toBe(
      'duplicate-route: "w2" and "w1" both serve /orders/{key} of 127.0.0.1:8080: give one another path or method.',
    );
    expect(rest).toEqual([]);
  });

  it.each([
    ['another path', 'http-server://127.0.0.1:8080/b'],
    ['another port', 'http-server://127.0.0.1:8081/a'],
    ['another method', 'http-server://127.0.0.1:8080/a?method=PUT'],
    ['a disabled one', { from: 'http-server://127.0.0.1:8080/a', disabled: true }],
  ])('are fine with %s', (_, second) => {
    expect(problemsOf('http-server://127.0.0.1:8080/a', second)).toEqual([]);
  });
});

it('a method that does not exist is told, and the one that was meant', () => {
  expect(problemsOf('http-server://127.0.0.1:80/a?method=FETCH')).toEqual([
    'wrong-option: The option "method" holds "FETCH", which cannot be served; did you mean "PATCH"?',
  ]);
  expect(problemsOf('http-server://127.0.0.1:80/a?method=connect')).toHaveLength(1);
});

it('an empty list of keys is told before anything listens', () => {
  const [problem] = problemsOf('http-server://127.0.0.1:80/a?api_keys=');
  expect(problem).toContain('wrong-option: The option "api_keys"');
});
