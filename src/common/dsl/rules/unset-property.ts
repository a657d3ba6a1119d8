import { closest } from '../../engine/api/options.js';
import { readsOf } from '../script-reads.js';
import { placeIn } from '../scripts.js';
import { textOf } from './outline.js';
import type { Rule } from './rule.js';
import { allSteps } from './step-lists.js';

/** Set by the engine, its steps and its components. */
const given = ['attributes', 'split', 'loop', 'reply', 'answers'];

/** Steps that set a property, with the field that names it. */
const naming: Readonly<Record<string, string>> = { 'set-property': 'name', enrich: 'property', ask: 'into' };

export const unsetProperty: Rule = {
  id: 'unset-property',
  sentence: 'A property that a script reads is set somewhere in the workspace.',
  check({ workspace, files, steps: types, warning }) {
    const steps = allSteps(workspace, types);
    const set = new Set([
      ...given,
      ...steps.flatMap((each) => textOf(each, naming[each.step.keyword] ?? '')),
    ]);
    for (const { scripts } of steps) {
      for (const { source, place } of scripts) {
        for (const read of readsOf(source)) {
          const { kind, name } = read;
          if (kind !== 'property' || set.has(name) || name.startsWith('helix.')) continue;
          const hint = closest(name, [...set]);
          warning(
            placeIn(files, place, { message: '', ...read }),
            `The property "${name}" is never set${hint ? `; did you mean "${hint}"?` : ': set it with set-property before.'}`,
            hint,
          );
        }
      }
    }
  },
};
