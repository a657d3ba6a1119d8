import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<{ readonly requestId: string }>();

/** Id of the HTTP request in whose course this code runs; it is on the answer as `X-Request-Id` and on log lines. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.requestId;
}

export function withRequestId<T>(requestId: string, work: () => T): T {
  return current.run({ requestId }, work);
}
