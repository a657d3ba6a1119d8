import type { Processor } from '../api/processor.js';
import type { WorkspaceProblem } from '../model/workflow-definition.js';
import type { Exchange, ExchangeInit } from '../model/exchange.js';
import { workspaceOf } from './source.js';
import { makeEngine, startEngine } from './test-engine.js';

/** Runs the steps on a new exchange and answers it. Targets `test://name` are the processors. */
export async function runSteps(
  steps: readonly unknown[],
  init: Omit<ExchangeInit, 'id' | 'createdAt'> = {},
  processors: Readonly<Record<string, Processor>> = {},
): Promise<Exchange> {
  const { engine } = await startEngine({ processors, workflows: [{ id: 'w', from: 'test://w', steps }] });
  const exchange = engine.exchange('w', init);
  await engine.run('w', exchange);
  return exchange;
}

/** What a check finds in the steps. */
export function problemsOf(steps: readonly unknown[]): readonly WorkspaceProblem[] {
  return makeEngine().engine.check(workspaceOf({ workflows: [{ id: 'w', from: 'test://w', steps }] }));
}
