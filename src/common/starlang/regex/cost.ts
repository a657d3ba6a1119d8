import type { Pattern } from './ast.js';

export interface Cost {
  /** Repetitions that can share out the same text: the work of a search grows as length^(loops + 1). */
  loops: number;
  /** False when a loop stands in a loop or chooses inside one: the work may be exponential. */
  bounded: boolean;
  /** Needs look-around or back-references, which no linear engine has. */
  needsBacktracking: boolean;
  /** Nothing can fail after the only loop, so that a search is linear. */
  linear: boolean;
}

const MOST_CHOICES = 12;

/** How a backtracking engine would behave on a pattern, never estimated too low. */
export function costOf(pattern: Pattern): Cost {
  const cost: Cost = { loops: 0, bounded: true, needsBacktracking: false, linear: false };
  let choices = 0;
  const walk = (node: Pattern, inLoop: boolean): void => {
    switch (node.kind) {
      case 'repeat': {
        const loop = node.max > 1 && node.max !== node.min;
        if (inLoop) cost.bounded = false;
        if (!loop && node.max === 1) choices++;
        if (loop) cost.loops++;
        walk(node.body, node.max > 1 || inLoop);
        return;
      }
      case 'choice':
        if (inLoop) cost.bounded = false;
        choices += node.items.length - 1;
        for (const item of node.items) walk(item, inLoop);
        return;
      case 'look':
        cost.needsBacktracking = true;
        walk(node.body, inLoop);
        return;
      case 'reference':
        cost.needsBacktracking = true;
        return;
      case 'group':
        walk(node.body, inLoop);
        return;
      case 'sequence':
        for (const item of node.items) walk(item, inLoop);
        return;
      default:
        return;
    }
  };
  walk(pattern, false);
  if (choices > MOST_CHOICES) cost.bounded = false;
  cost.linear =
    cost.bounded &&
    !cost.needsBacktracking &&
    (cost.loops === 0 || (cost.loops === 1 && endsInLoop(pattern)));
  return cost;
}

function endsInLoop(pattern: Pattern): boolean {
  if (pattern.kind === 'repeat') return true;
  if (pattern.kind === 'group') return endsInLoop(pattern.body);
  if (pattern.kind !== 'sequence') return false;
  const last = pattern.items.at(-1);
  return last !== undefined && endsInLoop(last);
}
