import type { RouteBuilder } from '../api/route-builder.js';
import type { StepNode } from '../model/workflow-definition.js';

/**
 * Reports a header without a name. Names beginning with `Helix` are allowed here: a workflow speaks through some of them
 * to components (`HelixMcpToolName`, `HelixHttpStatus`); it is the outside that may not set them.
 */
export function checkHeaderName(name: string, node: StepNode, build: RouteBuilder): void {
  if (name.trim() !== '') return;
  build.problem({
    severity: 'error',
    rule: 'wrong-header',
    message: 'A header needs a name.',
    place: node.place,
  });
}
