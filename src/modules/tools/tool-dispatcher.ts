import { Injectable } from '@nestjs/common';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { Caller } from '../../common/engine/model/caller.js';
import { HelixLog } from '../../common/platform/logging/helix-log.js';
import { failed } from './tool-failure.js';
import type { FundingSource } from './tool-descriptor.js';
import type { Connected, CostQuestion, LateCost, Outcome, ToolProvider } from './tool-provider.js';
import { ToolProviders } from './tool-providers.js';

export interface Dispatch {
  readonly callId: string;
  readonly attempt: number;
  readonly provider: string;
  readonly toolId: string;
  readonly input: unknown;
  readonly caller: Caller;
  /** Who pays: decided when the call was made, and whose connection it goes out by. */
  readonly source: FundingSource;
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
    if (!provider) return notSent(new HelixError('TOOL.UNKNOWN_TOOL', toolRemoved));
    const connected = await this.#connect(provider, dispatch);
    if (!connected.isReady) return notSent(new HelixError('CALL.CONNECTION_REMOVED', connected.reason));
    const looked = provider.describe(dispatch.toolId, connected.connection, signal);
    const tool = await looked.catch(() => undefined);
    if (tool === undefined) return notSent(new HelixError('UPSTREAM.UNREACHABLE', providerDown));
    if (tool === null) return notSent(new HelixError('TOOL.UNKNOWN_TOOL', toolRemoved));
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
      const work = provider.call(
        { ...dispatch, timeoutMs, maxResultBytes },
        connected.connection,
        bound.signal,
      );
      return { ...(await orAborted(work, bound.signal)), maxResultBytes };
    } catch (error) {
      // The reason of the abort says more than what the work made of it.
      const reason: unknown = bound.signal.aborted ? bound.signal.reason : error;
      if (!(reason instanceof HelixError))
        this.log.write('error', 'A tool failed in a way it should not.', { callId: dispatch.callId, error });
      const failure = HelixError.from(reason);
      return { ...failed(failure), ...provider.cutOff(tool, failure), maxResultBytes };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  /** What a provider knows by now of a cost that was pending, on the account that paid for the call. */
  async askCost(
    call: CostQuestion & {
      readonly provider: string;
      readonly organizationId: string;
      readonly source: FundingSource;
    },
    signal: AbortSignal,
  ): Promise<LateCost> {
    const provider = this.providers.find(call.provider);
    const connected = await provider?.connect(call);
    if (!provider || !connected?.isReady) return { state: 'pending', micros: null };
    return orAborted(provider.cost(call, connected.connection, signal), signal);
  }

  /** A connection that cannot even be looked up cannot be used. */
  #connect(provider: ToolProvider, { callId, caller, source }: Dispatch): Promise<Connected> {
    return provider
      .connect({ organizationId: caller.organizationId ?? '', source })
      .catch((error: unknown): Connected => {
        this.log.write('error', 'A connection could not be opened.', { callId, error });
        return { isReady: false, reason: 'The connection could not be opened when the call was to run.' };
      });
  }
}

const providerDown = 'The provider of the tool did not answer when the call was to run.';
const toolRemoved = 'The tool was removed before the call ran.';

/** Nothing left this machine, so nothing is to be paid. */
function notSent(failure: HelixError): DispatchOutcome {
  return {
    ...failed(failure),
    kind: 'not_sent',
    cost: { state: 'settled', micros: 0 },
    maxResultBytes: 0,
  };
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
