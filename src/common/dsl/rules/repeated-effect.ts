import { EndpointUri } from '../../engine/model/endpoint-uri.js';
import { entry, type SourceNode } from '../../engine/model/source-node.js';
import type { StepNode, UriNode } from '../../engine/model/workflow-definition.js';
import { outline } from './outline.js';
import type { Rule, RuleContext } from './rule.js';

export const repeatedEffect: Rule = {
  id: 'repeated-effect',
  sentence: 'What is retried is safe to do twice.',
  check(context) {
    const { workspace } = context;
    for (const { errorHandler, steps } of workspace.workflows) {
      if (retries(errorHandler ?? workspace.errorHandler)) look(steps, context);
    }
  },
};

function look(steps: readonly StepNode[], context: RuleContext): void {
  for (const step of steps) {
    if (step.disabled || step.keyword === 'idempotent') continue;
    const { targets, blocks } = outline(step, context.steps);
    for (const target of targets) {
      const method = effectOf(target);
      if (method === null) continue;
      context.info(
        target.place,
        `A retry may ${method} twice, for a call whose answer was lost may have been done: make the other side know repeated calls, or put idempotent around the step.`,
      );
    }
    for (const block of blocks) look(block, context);
  }
}

/** Methods that RFC 9110 (9.2.2) does not call idempotent, where they are written out. */
function effectOf({ uri, parameters }: UriNode): string | null {
  if (!/^\s*https?:/i.test(uri)) return null;
  try {
    const given = EndpointUri.parse(uri, parameters).options.get('method');
    const method = typeof given === 'string' ? given.toUpperCase() : null;
    return method === 'POST' || method === 'PATCH' ? method : null;
  } catch {
    return null;
  }
}

function retries(source: SourceNode | null): boolean {
  const given = source?.kind === 'map' ? entry(source, 'retries') : undefined;
  return given?.kind === 'scalar' && Number(given.value) > 0;
}
