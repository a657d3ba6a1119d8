import type { ServerResponse } from 'node:http';
import type { Cancellation } from '../../common/engine/api/abort.js';
import type { Clock } from '../../common/engine/api/ports.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';

/**
 * Resolves when the work is done. When the time is over first, rejects at once and aborts the work; when the client
 * leaves, the work is aborted too.
 * @throws HelixError `ENGINE.TIMED_OUT`
 */
export async function runWithin(
  work: Promise<void>,
  limit: { readonly timeoutMs: number; readonly clock: Clock },
  response: ServerResponse,
  abort: Cancellation,
): Promise<void> {
  const onClose = (): void =>
    abort.abort(new HelixError('ENGINE.CANCELLED', 'The client left before the answer.'));
  response.once('close', onClose);
  let takeBack: (() => void) | undefined;
  try {
    if (limit.timeoutMs === 0) return await work;
    const timeout = new Promise<void>((_, reject) => {
      takeBack = limit.clock.schedule(limit.timeoutMs, () => {
        const error = new HelixError('ENGINE.TIMED_OUT', `The work took longer than ${limit.timeoutMs} ms.`);
        reject(error);
        abort.abort(error);
      });
    });
    await Promise.race([work, timeout]);
  } finally {
    takeBack?.();
    response.off('close', onClose);
  }
}
