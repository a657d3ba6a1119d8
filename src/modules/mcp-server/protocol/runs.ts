import { isRecord } from '../../../common/engine/model/is-record.js';
import type { CallerLink } from '../../../common/engine/model/caller-link.js';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { principalOf } from '../../../components/mcp-server/principal.js';
import type { ToolResult } from '../../../components/mcp-server/tool-source.js';
import { RpcError, rpcCodes } from './json-rpc.js';
import type { Asked, ServedTools } from './methods.js';
import { hasCapability, tasksExtension } from './peer.js';
import { AskByRequest, AskByResult, missingCapability, RequestLink, type Asker } from './request-link.js';
import type { StateOwner } from './request-state.js';
import type { TaskShelf } from './tasks.js';
import { resultPayload } from './tool-payload.js';

/** Milliseconds a call that may become a task has to ask, to fail or to be done before it becomes one. */
const taskAfterMs = 40;

export interface RunParts {
  readonly link: CallerLink;
  readonly signal: AbortSignal;
}

/**
 * Runs what may ask its caller. The payload is the work's own, or what the client must answer first.
 * @param work rejects only for failures of the protocol
 */
export async function runAsking(
  method: string,
  served: ServedTools,
  asked: Asked,
  work: (run: RunParts) => Promise<object>,
): Promise<object> {
  const call = followed(asked.signal);
  const owner = ownerOf(method, asked);
  const asker = askerOf(served, asked, owner, call);
  const link = new RequestLink(asked.peer, asked.params, asker);
  try {
    const result = await work({ link, signal: call.signal });
    return inputRequired(served, owner, asker) ?? result;
  } catch (thrown) {
    const input = inputRequired(served, owner, asker);
    if (input !== null) return input;
    throw thrown;
  } finally {
    link.close();
  }
}

/** A tool call that becomes a task once it turns out to take a while, or to ask something. */
export async function runAsTask(
  served: ServedTools,
  asked: Asked,
  tasks: TaskShelf,
  isRequired: boolean,
  work: (run: RunParts) => Promise<ToolResult>,
): Promise<object> {
  const call = new AbortController();
  const leave = (): void => call.abort(asked.signal.reason);
  asked.signal.addEventListener('abort', leave, { once: true });
  const owner = ownerOf('tools/call', asked);
  const before = new AskByResult(asked.peer, answersOf(served, asked, owner), call);
  let asks!: () => void;
  let becomes!: (asker: Asker) => void;
  const wantsTask = new Promise<void>((resolve) => (asks = resolve));
  const asTask = new Promise<Asker>((resolve) => (becomes = resolve));
  const link = new RequestLink(asked.peer, asked.params, {
    ask: async (questions) => {
      if ([...questions.values()].every(({ isBeforeTask }) => isBeforeTask)) return before.ask(questions);
      asks();
      return (await asTask).ask(questions);
    },
  });
  const run = work({ link, signal: call.signal });
  const done = await firstOf(run, wantsTask);
  const input = inputRequired(served, owner, before);
  if (input !== null) {
    run.catch(() => undefined);
    link.close();
    return input;
  }
  asked.signal.removeEventListener('abort', leave);
  if (asked.signal.aborted || (done && !isRequired)) {
    link.close();
    return resultPayload(await run, asked.revision);
  }
  const task = tasks.open(principalOf(asked.caller), call);
  task.facts = asked.peer.facts;
  link.asker = task;
  becomes(task);
  // A question that was waiting for this is in the task before its client is told of it.
  await asTask;
  // The stream of the call ends with its answer; what is told from now on is in the task.
  link.close();
  void settle(run, task, asked);
  return { resultType: 'task', ...task.summary() };
}

async function settle(
  run: Promise<ToolResult>,
  task: ReturnType<TaskShelf['open']>,
  asked: Asked,
): Promise<void> {
  try {
    const result = await run;
    if (result.fault) task.fail(result.fault);
    else task.complete(resultPayload(result, asked.revision));
  } catch (thrown) {
    const { publicMessage, meaning } = HelixError.from(thrown);
    task.fail(
      thrown instanceof RpcError
        ? { code: thrown.code, message: thrown.message }
        : { code: meaning.jsonRpc, message: publicMessage },
    );
  }
}

/** @throws RpcError where the client cannot follow a tool that is only offered as a task */
export function takesTask(isRequired: boolean, asked: Asked): boolean {
  if (hasCapability(asked.peer.facts, 'extensions', tasksExtension)) return true;
  if (isRequired) throw missingCapability({ extensions: { [tasksExtension]: {} } });
  return false;
}

async function firstOf(run: Promise<unknown>, wantsTask: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, taskAfterMs)));
  const over = run.then(
    () => true,
    () => true,
  );
  const first = await Promise.race([over, wantsTask, grace]);
  clearTimeout(timer);
  return first === true;
}

function followed(signal: AbortSignal): AbortController {
  const call = new AbortController();
  if (signal.aborted) call.abort(signal.reason);
  else signal.addEventListener('abort', () => call.abort(signal.reason), { once: true });
  return call;
}

/** What may differ between the rounds of one request. */
const addedOnRetry: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState', 'task']);

function ownerOf(method: string, { caller, params }: Asked): StateOwner {
  const own = Object.entries(params).filter(([name]) => !addedOnRetry.has(name));
  return { principal: principalOf(caller), method, params: Object.fromEntries(own) };
}

function askerOf(served: ServedTools, asked: Asked, owner: StateOwner, call: AbortController): Asker {
  if (asked.revision < '2026-07-28') return new AskByRequest(asked.peer, call.signal);
  return new AskByResult(asked.peer, answersOf(served, asked, owner), call);
}

/** @throws RpcError for a state or answers that are not sound */
function answersOf(
  served: ServedTools,
  { params }: Asked,
  owner: StateOwner,
): Readonly<Record<string, unknown>> {
  const given = params['inputResponses'] ?? {};
  if (!isRecord(given))
    throw new RpcError(rpcCodes.invalidParams, '"inputResponses" must be an object with an answer by key.');
  return { ...served.states.open(owner, params['requestState']), ...given };
}

function inputRequired(served: ServedTools, owner: StateOwner, asker: Asker): object | null {
  if (!(asker instanceof AskByResult) || asker.outcome === null) return null;
  if (asker.outcome instanceof RpcError) throw asker.outcome;
  return {
    resultType: 'input_required',
    inputRequests: asker.outcome.requests,
    requestState: served.states.seal(owner, asker.accepted),
  };
}
