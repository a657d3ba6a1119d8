import type { Rule } from './rule.js';

/** Which component reads which section. */
const readers: Readonly<Record<string, readonly string[]>> = {
  agents: ['agent'],
  providers: ['agent'],
};

export const unreadSection: Rule = {
  id: 'unread-section',
  sentence: 'A section of the workspace is read by a component that is installed.',
  check({ workspace, components, warning }) {
    for (const [key, nodes] of workspace.sections) {
      const schemes = Object.hasOwn(readers, key) ? readers[key] : undefined;
      if (!schemes || components.some(({ scheme }) => schemes.includes(scheme))) continue;
      for (const { place } of nodes) {
        warning(
          place,
          `Nothing reads the section "${key}" here: the component ${schemes.join(', ')} is not installed.`,
        );
      }
    }
  },
};
