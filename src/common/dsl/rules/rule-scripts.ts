import { entry, type ScalarNode } from '../../engine/model/source-node.js';
import type { ToolRule } from '../../engine/model/tool-definition.js';
import { origins } from '../origins.js';
import { placeIn, sentenceOf, suggestionOf } from '../scripts.js';
import type { Rule } from './rule.js';

export const ruleScripts: Rule = {
  id: 'wrong-script',
  sentence: 'Every script compiles.',
  check({ workspace, files, checkScript, error }) {
    for (const { definition } of workspace.tools) {
      for (const rule of definition.rules) {
        const script = scriptOf(rule);
        if (!script || script.secret) continue;
        for (const finding of checkScript(rule.expr).errors) {
          error(placeIn(files, script.place, finding), sentenceOf(finding), suggestionOf(finding));
        }
      }
    }
  },
};

/** The scalar a rule's script was read from. */
export function scriptOf(rule: ToolRule): ScalarNode | null {
  const origin = origins.get(rule);
  const script = origin?.kind === 'map' ? entry(origin, 'expr') : undefined;
  return script?.kind === 'scalar' ? script : null;
}
