import type { Rule } from './rule.js';

/** A line without content: blank, a comment, or a section with nothing in it. */
const hollow = /^(?:[a-z-]+:\s*(?:\[\]|\{\})?)?\s*(?:#.*)?$/;

export const emptyWorkspace: Rule = {
  id: 'empty-workspace',
  sentence: 'A workspace defines something.',
  check({ files, warning }) {
    const all = [...files.values()];
    const isHollow = all.every(({ text }) => text.split(/\r?\n/).every((line) => hollow.test(line)));
    if (all[0] === undefined || !isHollow) return;
    warning(all[0].placeAt(0), 'This workspace defines nothing: write workflows or tools into it.');
  },
};
