import { array, assert, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { LinkedList, type Linked } from './linked-list.js';

class Member implements Linked<Member> {
  before: Member | null = null;
  after: Member | null = null;
  constructor(readonly n: number) {}
}

it('holds what entered and did not leave, in order, and those who left hold nothing of it', () => {
  assert(
    property(array(integer({ min: 0, max: 9 })), (turns) => {
      const list = new LinkedList<Member>();
      const expected: Member[] = [];
      const gone: Member[] = [];
      for (const [n, turn] of turns.entries()) {
        const leaving = expected[turn];
        if (leaving === undefined) {
          const member = new Member(n);
          list.append(member);
          expected.push(member);
        } else {
          list.remove(leaving);
          expected.splice(turn, 1);
          gone.push(leaving);
        }
        expect([...list]).toEqual(expected);
        expect([list.size, list.first]).toEqual([expected.length, expected[0] ?? null]);
      }
      expect(gone.flatMap(({ before, after }) => [before, after]).filter(Boolean)).toEqual([]);
    }),
  );
});
