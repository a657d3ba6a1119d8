import { closest } from '../../engine/api/options.js';
import { readsOf } from '../script-reads.js';
import { placeIn } from '../scripts.js';
import { schemeOf } from './addresses.js';
import { isComputed, textOf, type StepOutline } from './outline.js';
import type { Rule } from './rule.js';
import { allSteps } from './step-lists.js';

/** Triggers and targets that bring no headers but the engine's own. */
const bare: ReadonlySet<string> = new Set([
  'direct',
  'seda',
  'tool',
  'timer',
  'cron',
  'mcp-server',
  'log',
  'dead-letter',
]);

/** Silent where a header may come from outside: over HTTP, from a server that is called, or from a computed target. */
export const unsetHeader: Rule = {
  id: 'unset-header',
  sentence: 'A header that a script reads is set somewhere in the workspace, or may come from outside.',
  check({ workspace, files, steps: types, warning }) {
    const steps = allSteps(workspace, types);
    const uris = [
      ...workspace.workflows.map(({ trigger }) => trigger.uri),
      ...steps.flatMap(({ targets }) => targets.map(({ uri }) => uri)),
    ];
    if (uris.some((uri) => !bare.has(schemeOf(uri))) || steps.some(isComputed)) return;
    const set = new Map(steps.flatMap(headersSet).map((name) => [name.toLowerCase(), name]));
    for (const { scripts } of steps) {
      for (const { source, place } of scripts) {
        for (const read of readsOf(source)) {
          const { kind, name } = read;
          if (kind !== 'header' || /^helix/i.test(name) || set.has(name.toLowerCase())) continue;
          const hint = closest(name, [...set.values()]);
          warning(
            placeIn(files, place, { message: '', ...read }),
            `The header "${name}" is never set${hint ? `; did you mean "${hint}"?` : ', and nothing here lets headers in from outside: set it with set-header before.'}`,
            hint,
          );
        }
      }
    }
  },
};

function headersSet(outline: StepOutline): readonly string[] {
  if (outline.step.keyword === 'set-header') return textOf(outline, 'name');
  const { body, keyword } = outline.step;
  return keyword === 'set-headers' && body.kind === 'map' ? body.entries.map(({ key }) => key) : [];
}
