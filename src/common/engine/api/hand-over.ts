import type { Exchange } from '../model/exchange.js';
import type { Route } from './component.js';

/**
 * Runs a workflow as part of another one's step, on the same exchange. What fails in it fails the step, so that the
 * calling workflow's own error handler judges it and may call again.
 */
export function handOver(route: Route, exchange: Exchange): void | Promise<void> {
  const pending = route.pass(exchange);
  if (pending === undefined) rethrow(exchange);
  else return pending.then(() => rethrow(exchange));
}

function rethrow(exchange: Exchange): void {
  // Whoever called may have stopped waiting and told its failure already: that one is no longer ours to take.
  const failure = exchange.signal.aborted ? exchange.failure : exchange.takeFailure();
  if (failure !== null) throw failure;
}
