import type { Pattern } from './ast.js';
import { isDeterministic } from './determinism.js';

export interface Cost {
  /** The work of a search grows at most as length^exponent; infinite when no bound is known. */
  exponent: number;
  /** Needs look-around or back-references, which no linear engine has. */
  needsBacktracking: boolean;
}

const MOST_CHOICES = 12;

/** How a backtracking engine would behave on a pattern, never estimated too low. */
export function costOf(pattern: Pattern): Cost {
  const looks: Pattern[] = [];
  let needsBacktracking = false;
  visit(pattern, (node) => {
    if (node.kind === 'look') looks.push(node.body);
    if (node.kind === 'look' || node.kind === 'reference') needsBacktracking = true;
  });
  const main = attempt(pattern);
  const inLooks = looks.reduce((sum, body) => sum + attempt(body), 0);
  const linear = main === 0 || (main === 1 && endsInLoop(pattern));
  return { exponent: linear && inLooks === 0 ? 1 : 1 + main + inLooks, needsBacktracking };
}

/** The exponent of one attempt at one place. */
function attempt(pattern: Pattern): number {
  const { loops, nested, choices } = shapeOf(pattern);
  if (loops === 0 && choices <= MOST_CHOICES) return 0;
  if (isDeterministic(pattern)) return 1;
  return nested || choices > MOST_CHOICES ? Number.POSITIVE_INFINITY : loops;
}

function visit(node: Pattern, see: (node: Pattern) => void): void {
  see(node);
  if ('body' in node) visit(node.body, see);
  if ('items' in node) for (const item of node.items) visit(item, see);
}

function shapeOf(pattern: Pattern): { loops: number; nested: boolean; choices: number } {
  const shape = { loops: 0, nested: false, choices: 0 };
  const walk = (node: Pattern, inLoop: boolean): void => {
    switch (node.kind) {
      case 'repeat': {
        const loop = node.max > 1 && node.max !== node.min;
        if (inLoop) shape.nested = true;
        if (node.max === 1) shape.choices++;
        if (loop) shape.loops++;
        walk(node.body, inLoop || node.max > 1);
        return;
      }
      case 'choice':
        if (inLoop) shape.nested = true;
        shape.choices += node.items.length - 1;
        for (const item of node.items) walk(item, inLoop);
        return;
      case 'group':
        walk(node.body, inLoop);
        return;
      case 'sequence':
        for (const item of node.items) walk(item, inLoop);
        return;
      case 'reference':
        shape.loops++;
        if (inLoop) shape.nested = true;
        return;
      default:
        return;
    }
  };
  walk(pattern, false);
  return shape;
}

/** Nothing can fail after the only loop. */
function endsInLoop(pattern: Pattern): boolean {
  if (pattern.kind === 'repeat') return shapeOf(pattern).loops === 1;
  if (pattern.kind === 'group') return endsInLoop(pattern.body);
  if (pattern.kind !== 'sequence') return false;
  const last = pattern.items.at(-1);
  return last !== undefined && shapeOf(pattern).loops === 1 && endsInLoop(last);
}
