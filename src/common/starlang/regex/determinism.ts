import type { Pattern } from './ast.js';
import { complement, intersection, type Ranges } from './char-set.js';

/** Where matching may begin, end and go on, by the positions of a pattern's character sets. */
interface Part {
  first: number[];
  last: number[];
  nullable: boolean;
}

const MOST_POSITIONS = 200;
const ALL: Ranges = [[0, 0x10ffff]];

/**
 * Is there never more than one way to go on? Then a backtracking engine visits each character once an
 * attempt, however its repetitions are nested (the Glushkov automaton of the pattern is deterministic).
 */
export function isDeterministic(pattern: Pattern): boolean {
  const sets: Ranges[] = [];
  const follow: Set<number>[] = [];
  let sound = true;

  const link = (from: number[], to: number[]): void => {
    for (const a of from) {
      for (const b of to) {
        // Two ways over the same step, as in (a+)+, are two ways to go on.
        if (follow[a]?.has(b)) sound = false;
        follow[a]?.add(b);
      }
    }
  };

  const build = (node: Pattern): Part => {
    switch (node.kind) {
      case 'set': {
        const index = sets.length;
        sets.push(node.properties.length > 0 ? ALL : node.negated ? complement(node.ranges) : node.ranges);
        follow.push(new Set());
        if (index > MOST_POSITIONS) sound = false;
        return { first: [index], last: [index], nullable: false };
      }
      case 'reference':
        sound = false;
        return { first: [], last: [], nullable: true };
      case 'group':
        return build(node.body);
      case 'choice': {
        const parts = node.items.map(build);
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          nullable: parts.some(({ nullable }) => nullable),
        };
      }
      case 'sequence':
        return node.items.reduce<Part>(
          (before, item) => {
            const next = build(item);
            link(before.last, next.first);
            return {
              first: before.nullable ? [...before.first, ...next.first] : before.first,
              last: next.nullable ? [...before.last, ...next.last] : next.last,
              nullable: before.nullable && next.nullable,
            };
          },
          { first: [], last: [], nullable: true },
        );
      case 'repeat': {
        const body = build(node.body);
        if (node.max > 1) {
          link(body.last, body.first);
          // A repeated part that may be empty can be passed in more than one way.
          if (body.nullable) sound = false;
        }
        return { ...body, nullable: body.nullable || node.min === 0 };
      }
      default:
        return { first: [], last: [], nullable: true };
    }
  };

  const whole = build(pattern);
  const disjoint = (positions: Iterable<number>): boolean => {
    const list = [...new Set(positions)];
    for (let i = 0; i < list.length; i++)
      for (let j = i + 1; j < list.length; j++)
        if (intersection(sets[list[i] as number] as Ranges, sets[list[j] as number] as Ranges).length > 0)
          return false;
    return true;
  };
  return sound && disjoint(whole.first) && follow.every(disjoint);
}
