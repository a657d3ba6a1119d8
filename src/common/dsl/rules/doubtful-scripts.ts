import { placeIn, sentenceOf, suggestionOf } from '../scripts.js';
import { everyStep } from './outline.js';
import type { Rule } from './rule.js';
import { stepLists } from './step-lists.js';

export const doubtfulScripts: Rule = {
  id: 'doubtful-script',
  sentence: 'A script means what its author probably means.',
  check({ workspace, files, steps: types, checkScript, warning }) {
    for (const steps of stepLists(workspace)) {
      for (const { scripts } of everyStep(steps, types)) {
        for (const { source, place } of scripts) {
          for (const finding of checkScript(source).warnings) {
            warning(placeIn(files, place, finding), sentenceOf(finding), suggestionOf(finding));
          }
        }
      }
    }
  },
};
