import { isRecord } from '../../../common/engine/model/is-record.js';
import { principalOf } from '../../../components/mcp-server/principal.js';
import { RpcError, rpcCodes } from './json-rpc.js';
import type { Asked, Method, ServedTools } from './methods.js';
import { takesTask } from './runs.js';
import type { Task } from './tasks.js';

const getTask: Method = (served, asked) => ({ ...taskOf(served, asked).detail(), resultType: 'complete' });

const cancelTask: Method = (served, asked) => {
  taskOf(served, asked).cancel();
  return {};
};

const updateTask: Method = (served, asked) => {
  const task = taskOf(served, asked);
  const answers = asked.params['inputResponses'];
  if (!isRecord(answers))
    throw new RpcError(rpcCodes.invalidParams, '"inputResponses" must be an object with an answer by key.');
  task.update(answers);
  return {};
};

/** @throws RpcError where the client does not know tasks, or has no such task */
function taskOf({ tasks }: ServedTools, asked: Asked): Task {
  takesTask(true, asked);
  const id = asked.params['taskId'];
  const task = typeof id === 'string' ? tasks?.find(id, principalOf(asked.caller)) : undefined;
  if (task) return task;
  throw new RpcError(rpcCodes.invalidParams, 'There is no such task, or no longer.');
}

export const taskMethods: readonly (readonly [string, Method])[] = [
  ['tasks/get', getTask],
  ['tasks/cancel', cancelTask],
  ['tasks/update', updateTask],
];
