import { isRecord } from '../../common/engine/model/is-record.js';
import type { ParsedWorkspace, TestDefinition } from '../../common/dsl/index.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { UriNode, WorkspaceDefinition } from '../../common/engine/model/workflow-definition.js';
import { drive, type Subject } from './drive.js';
import { miss, type Miss } from './miss.js';
import { addressOf } from './recorded-calls.js';
import { Stage, type StageParts } from './stage.js';
import { verify } from './verify.js';
import { ClockStopped } from './virtual-clock.js';

export interface TestResult {
  readonly test: TestDefinition;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly misses: readonly Miss[];
  /** On the machine's clock. */
  readonly realMs: number;
  /** On the test's clock, from its beginning to its end. */
  readonly virtualMs: number;
}

/** One test after the other, each on an engine of its own. */
export async function* runTests(
  tests: readonly TestDefinition[],
  { definition }: Pick<ParsedWorkspace, 'definition'>,
  parts: StageParts,
): AsyncGenerator<TestResult> {
  for (const test of tests) {
    const begun = performance.now();
    if (test.skip !== null) yield { test, state: 'skipped', misses: [], realMs: 0, virtualMs: 0 };
    else {
      const { misses, virtualMs } = await runTest(test, definition, parts);
      const state = misses.length === 0 ? 'passed' : 'failed';
      yield { test, state, misses, realMs: performance.now() - begun, virtualMs };
    }
  }
}

async function runTest(
  test: TestDefinition,
  workspace: WorkspaceDefinition,
  parts: StageParts,
): Promise<{ misses: readonly Miss[]; virtualMs: number }> {
  const subject = subjectOf(test, workspace);
  if (subject === null) {
    const { kind, id, place } = test.subject;
    return { misses: [miss(place, `There is no ${kind} "${id}" to test.`)], virtualMs: 0 };
  }
  let stage: Stage;
  try {
    const { identity } = subject.trigger;
    stage = new Stage(test, workspace, (uri) => uri.identity === identity, parts);
  } catch (thrown) {
    return { misses: [miss(test.place, HelixError.from(thrown).message)], virtualMs: 0 };
  }
  const { clock, engine } = stage;
  try {
    await clock.until(engine.start(workspace));
    parts.coverage.workflowRun(subject.id);
    const outcome = await drive(test, subject, stage);
    return { misses: verify(test, outcome, stage), virtualMs: clock.now() - clock.startMs };
  } catch (thrown) {
    const message =
      thrown instanceof ClockStopped ? stuckMessage(stage, thrown) : HelixError.from(thrown).message;
    return { misses: [miss(test.place, message)], virtualMs: clock.now() - clock.startMs };
  } finally {
    await clock.until(engine.stop({ timeoutMs: 0 })).catch(() => undefined);
  }
}

/** What waits where: a target that never answers, with nobody who gives up. */
function stuckMessage({ engine }: Stage, { message }: ClockStopped): string {
  const waiting = engine
    .inFlight()
    .map(({ workflowId, stepId }) => `${workflowId}/${stepId ?? 'its trigger'}`);
  return waiting.length === 0 ? message : `${message} On its way: ${waiting.join(', ')}.`;
}

/** The workflow that the test means; of a tool the one that does its work. */
function subjectOf(
  { subject: { kind, id } }: TestDefinition,
  workspace: WorkspaceDefinition,
): Subject | null {
  const own = workspace.tools.find(({ definition, steps }) => definition.id === id && steps.length > 0);
  if (kind === 'tool' && own)
    return { id, trigger: EndpointUri.parse(`tool://${id}`), hasInputSchema: false };
  const found = workspace.workflows.find((each) =>
    kind === 'workflow' ? each.id === id : addressOf(written(each.trigger)) === `tool://${id}`,
  );
  if (!found) return null;
  return { id: found.id, trigger: written(found.trigger), hasInputSchema: isRecord(found.inputSchema) };
}

const written = ({ uri, parameters }: UriNode): EndpointUri => EndpointUri.parse(uri, parameters);
