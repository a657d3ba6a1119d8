import { createContext, Script } from 'node:vm';

const run = new Script('work()');

/** The work took longer than its time. What it was changing is in no known state. */
export class OverTime extends Error {
  constructor(readonly ms: number) {
    super(`It took longer than ${ms} ms.`);
  }
}

/**
 * Runs work that may have no end, because somebody else wrote what it computes with: V8 stops it when its time is over.
 * It costs about a tenth of a millisecond.
 * @throws OverTime, or what the work throws
 */
export function withinMs<T>(ms: number, work: () => T): T {
  try {
    return run.runInContext(createContext({ work }), { timeout: ms }) as T;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new OverTime(ms);
    throw thrown;
  }
}
