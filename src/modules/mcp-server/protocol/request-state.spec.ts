import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { RequestStates } from './request-state.js';

const owner = { principal: 'acme/key/1', method: 'tools/call', params: { name: 'a', arguments: { n: 1 } } };
const answers = { name: { action: 'accept', content: { name: 'Ann' } } };

test('gives the answers back to the same caller for the same request, in any order of members', () => {
  const states = new RequestStates();
  const state = states.seal(owner, answers);
  expect(states.open({ ...owner, params: { arguments: { n: 1 }, name: 'a' } }, state)).toEqual(answers);
  expect(states.open(owner, undefined)).toEqual({});
  expect(Buffer.from(state, 'base64url').toString('latin1')).not.toContain('Ann');
});

test('is worth nothing to anybody else, for anything else, changed in any bit, or too late', () => {
  let now = 0;
  const states = new RequestStates([randomBytes(32)], () => now);
  const state = states.seal(owner, answers);
  const refused = 'must be sent back as it was received';
  expect(() => states.open({ ...owner, principal: 'acme/key/2' }, state)).toThrow(refused);
  expect(() => states.open({ ...owner, method: 'prompts/get' }, state)).toThrow(refused);
  expect(() => states.open({ ...owner, params: { name: 'a', arguments: { n: 2 } } }, state)).toThrow(refused);
  for (let at = 0; at < state.length; at++) {
    const other = state[at] === 'A' ? 'B' : 'A';
    expect(() => states.open(owner, state.slice(0, at) + other + state.slice(at + 1))).toThrow(refused);
  }
  for (const foreign of ['', 'x', `${state}-TAMPERED`, 7, null, {}, new RequestStates().seal(owner, answers)])
    expect(() => states.open(owner, foreign)).toThrow(refused);
  now = 3_600_000;
  expect(() => states.open(owner, state)).toThrow('too old');
});

test('opens what an older key sealed', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const state = new RequestStates([old]).seal(owner, answers);
  expect(new RequestStates([fresh, old]).open(owner, state)).toEqual(answers);
});
