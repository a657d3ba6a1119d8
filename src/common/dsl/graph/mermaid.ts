import type { WorkspaceGraph } from './workspace-graph.js';

/** A Mermaid flowchart: a box per workflow and tool, a stadium per address outside, an arrow per target. */
export function mermaidOf({ nodes, edges }: WorkspaceGraph): string {
  const boxes = nodes.map(({ id, kind, label }) => {
    if (kind === 'address') return `  ${id}(["${quoted(label)}"])`;
    return `  ${id}["${quoted(kind === 'tool' ? `tool ${label}` : label)}"]`;
  });
  const arrows = edges.map(
    ({ from, to, label }) => `  ${from} -->${label === '' ? '' : `|"${quoted(label)}"|`} ${to}`,
  );
  return `${['flowchart LR', ...boxes, ...arrows].join('\n')}\n`;
}

/** Mermaid takes HTML entities in quoted text; these are the characters that would end it or be taken as markup. */
function quoted(text: string): string {
  return text.replace(/[&"<>#`]/g, (character) => `#${character.charCodeAt(0)};`).replace(/[\r\n]+/g, ' ');
}
