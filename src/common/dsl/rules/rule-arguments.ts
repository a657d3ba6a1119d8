import { closest } from '../../engine/api/options.js';
import { placeIn } from '../scripts.js';
import { scriptOf } from './rule-scripts.js';
import type { Rule } from './rule.js';

/** `args.name` and `args["name"]`, where the name is plain to see. */
const reference = /\bargs\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*\])/g;

export const ruleArguments: Rule = {
  id: 'unknown-argument',
  sentence: 'A validation rule of a tool speaks of arguments that the tool declares.',
  check(context) {
    for (const { definition, place } of context.workspace.tools) {
      if (definition.inputSchema) continue;
      const known = Object.keys(definition.input);
      for (const rule of definition.rules) {
        for (const match of rule.expr.matchAll(reference)) {
          const name = match[1] ?? match[2] ?? match[3] ?? '';
          if (known.includes(name)) continue;
          const script = scriptOf(rule);
          const before = rule.expr.slice(0, match.index).split('\n');
          const within = { message: '', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
          const at = script ? placeIn(context.files, script.place, within) : place;
          const hint = closest(name, known);
          const advice = hint ? `did you mean "${hint}"?` : 'declare it under input.';
          context.warning(
            at,
            `The rule "${rule.name}" reads the argument "${name}", which is not declared; ${advice}`,
            hint,
          );
        }
      }
    }
  },
};
