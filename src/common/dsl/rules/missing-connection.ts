import { closest } from '../../engine/api/options.js';
import type { UriNode } from '../../engine/model/workflow-definition.js';
import { everyStep } from './outline.js';
import type { Rule } from './rule.js';
import { deadLetter, stepLists } from './step-lists.js';

export const missingConnection: Rule = {
  id: 'missing-connection',
  sentence: 'A sql target names a connection of the workspace.',
  check({ workspace, steps: types, error }) {
    const names = (workspace.sections.get('connections') ?? []).flatMap((section) =>
      section.kind === 'map' ? section.entries.map(({ key }) => key) : [],
    );
    const look = ({ uri, place }: UriNode): void => {
      const name = /^\s*sql:(?:\/\/)?([^?]*)/i.exec(uri)?.[1]?.trim();
      if (name === undefined || name === '' || names.includes(name)) return;
      const hint = closest(name, names);
      error(
        place,
        `The section "connections" has no "${name}"${hint ? `; did you mean "${hint}"?` : ': add it with the url of the database.'}`,
        hint,
      );
    };
    for (const list of stepLists(workspace)) {
      for (const { targets } of everyStep(list, types)) targets.forEach(look);
    }
    for (const { errorHandler } of [workspace, ...workspace.workflows]) {
      const target = deadLetter(errorHandler);
      if (target) look(target);
    }
  },
};
