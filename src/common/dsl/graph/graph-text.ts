import { mermaidOf } from './mermaid.js';
import { svgOf } from './svg.js';
import type { WorkspaceGraph } from './workspace-graph.js';

export type GraphFormat = 'mermaid' | 'svg' | 'json';

/** @param title what the picture is called for those who do not see it */
export function graphText(graph: WorkspaceGraph, format: GraphFormat, title: string): string {
  if (format === 'json') return `${JSON.stringify(graph, null, 2)}\n`;
  return format === 'svg' ? svgOf(graph, title) : mermaidOf(graph);
}
