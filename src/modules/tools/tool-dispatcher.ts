import { Injectable } from '@nestjs/common';
import { machineCode } from '../../common/engine/errors/error-codes.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Caller } from '../../common/engine/model/caller.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import type { Outcome } from './tool-provider.js';
import { ToolProviders } from './tool-providers.js';

export interface Dispatch {
  readonly callId: string;
  readonly attempt: number;
  readonly provider: string;
  readonly toolId: string;
  readonly input: unknown;
  readonly caller: Caller;
}

export type DispatchOutcome = Outcome & { readonly maxResultBytes: number };

/** Takes a call to the provider of its tool and bounds its time. Resolves for every way a call can end. */
@Injectable()
export class ToolDispatcher {
  constructor(
    private readonly providers: ToolProviders,
    private readonly log: HelixLog,
  ) {}

  async dispatch(dispatch: Dispatch, signal: AbortSignal): Promise<DispatchOutcome> {
    const provider = this.providers.find(dispatch.provider);
    const tool = await provider?.describe(dispatch.toolId, null, signal).catch(() => null);
    if (!provider || !tool)
      return {
        ...ended(new HelixError('TOOL.UNKNOWN_TOOL', 'The tool was removed before the call ran.')),
        maxResultBytes: 0,
      };
    const { timeoutMs, maxResultBytes } = tool.policy;
    const bound = new AbortController();
    const leave = () => bound.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const timer = setTimeout(
      () => bound.abort(new HelixError('ENGINE.TIMED_OUT', `The tool took longer than its ${timeoutMs} ms.`)),
      timeoutMs,
    );
    try {
      const work = provider.call({ ...dispatch, timeoutMs, maxResultBytes }, null, bound.signal);
      return { ...(await orAborted(work, bound.signal)), maxResultBytes };
    } catch (error) {
      // The reason of the abort says more than what the work made of it.
      const reason: unknown = bound.signal.aborted ? bound.signal.reason : error;
      if (!(reason instanceof HelixError))
        this.log.write('error', 'A tool failed in a way it should not.', { callId: dispatch.callId, error });
      return { ...ended(HelixError.from(reason)), maxResultBytes };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }
}

/** The work, or the abort where the work does not heed it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** After a stop nobody knows what the tool had done by then. */
function ended({ code, publicMessage, meaning }: HelixError): Outcome {
  return {
    kind: code === 'ENGINE.STOPPING' ? 'lost' : 'failed',
    code: machineCode(code),
    message: publicMessage,
    retryable: meaning.retry === 'later',
    upstreamStatus: null,
    reference: null,
    cost: { state: 'not_metered', micros: null },
  };
}
