import { entry, plain, type SourceNode } from '../../engine/model/source-node.js';
import type { Rule } from './rule.js';

/** The most specific clause wins wherever it stands, so only an equal one written before hides a clause. */
export const shadowedClause: Rule = {
  id: 'shadowed-clause',
  sentence: 'No clause of on-exception stands behind one that takes the same failures.',
  check({ workspace, warning }) {
    for (const { onException } of [workspace, ...workspace.workflows]) {
      if (onException?.kind !== 'list') continue;
      const taken = new Map<string, number>();
      for (const clause of onException.items) {
        const matches = matchesOf(clause);
        const before = matches.map((match) => taken.get(match));
        const line = before.every((each) => each !== undefined) ? before[0] : undefined;
        if (line !== undefined) {
          warning(
            clause.place,
            `This clause is never taken: the one in line ${line} takes the same failures. Narrow that one by when, or merge both.`,
          );
        }
        if (clause.kind !== 'map' || entry(clause, 'when')) continue;
        for (const match of matches) if (!taken.has(match)) taken.set(match, clause.place.line);
      }
    }
  },
};

function matchesOf(clause: SourceNode): readonly string[] {
  const match = clause.kind === 'map' ? entry(clause, 'match') : undefined;
  const value = match === undefined ? '*' : plain(match);
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  return texts.map((text) => (text.startsWith('/') ? text : text.toUpperCase()));
}
