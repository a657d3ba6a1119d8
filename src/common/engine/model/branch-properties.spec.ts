import { describe, expect, it } from 'vitest';
import { BranchProperties } from './branch-properties.js';
import { Exchange } from './exchange.js';
import { Message } from './message.js';

const parent = () =>
  new Map<string, unknown>([
    ['a', { n: 1 }],
    ['b', [1]],
    ['c', 5],
  ]);

describe('the properties of a branch', () => {
  it('are copies, however they are looked at, and the same copy each time', () => {
    const original = parent();
    const ways: readonly ((branch: BranchProperties) => unknown)[] = [
      (branch) => branch.get('a'),
      (branch) => [...branch.values()][0],
      (branch) => [...branch][0]?.[1],
      (branch) => Object.fromEntries(branch)['a'],
      (branch) => {
        let seen: unknown;
        branch.forEach((value, name) => {
          if (name === 'a') seen = value;
        });
        return seen;
      },
    ];
    for (const look of ways) {
      const branch = new BranchProperties(original);
      const found = look(branch);
      expect(found).toEqual({ n: 1 });
      expect(found).not.toBe(original.get('a'));
      expect(branch.get('a')).toBe(found);
    }
  });

  it('may be set and taken away without a trace of what stood there', () => {
    const branch = new BranchProperties(parent());
    branch.set('a', 2);
    branch.delete('b');
    expect([branch.get('a'), branch.get('b'), branch.has('b'), branch.size]).toEqual([
      2,
      undefined,
      false,
      2,
    ]);
    branch.clear();
    expect([branch.get('c'), [...branch]]).toEqual([undefined, []]);
  });
});

describe('a branch of an exchange', () => {
  it('has arguments and properties of its own, and all else that belongs to the way', () => {
    const session = { id: 's', state: {} };
    const exchange = new Exchange({ id: 'x', session, correlationId: 'c' });
    exchange.args = { list: [1] };
    exchange.properties.set('p', { n: 1 });
    const branch = exchange.branch('y', new Message('own'));
    const list = branch.args?.['list'];
    if (Array.isArray(list)) list.push(2);
    expect(list).toEqual([1, 2]);
    (branch.property('p') as { n: number }).n = 2;
    expect([exchange.args, exchange.property('p')]).toEqual([{ list: [1] }, { n: 1 }]);
    expect([branch.id, branch.body, branch.session, branch.correlationId]).toEqual([
      'y',
      'own',
      session,
      'c',
    ]);
    expect(branch.args).toBe(branch.args);
  });
});
