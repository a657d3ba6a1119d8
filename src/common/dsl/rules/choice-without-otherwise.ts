import { outline } from './outline.js';
import type { Rule } from './rule.js';

/** Keywords that make the body anew. */
const making: ReadonlySet<string> = new Set(['set-body', 'transform', 'target', 'to']);

export const choiceWithoutOtherwise: Rule = {
  id: 'choice-without-otherwise',
  sentence: 'A choice that gives the result of a tool has an otherwise.',
  check({ workspace, steps: types, info }) {
    const lists = [
      ...workspace.tools.map(({ steps }) => steps),
      ...workspace.workflows.filter(({ outputSchema }) => outputSchema !== null).map(({ steps }) => steps),
    ];
    for (const steps of lists) {
      const last = steps.findLast(({ disabled }) => !disabled);
      if (last?.keyword !== 'choice') continue;
      const { blocks, values } = outline(last, types);
      if (values['otherwise'] !== null && values['otherwise'] !== undefined) continue;
      if (!blocks.every((block) => block.some(({ keyword }) => making.has(keyword)))) continue;
      info(
        last.place,
        'Where no condition holds, the result is whatever came in: add otherwise, or throw there.',
      );
    }
  },
};
