import { journey, type Exchange, type Journey } from '../model/exchange.js';
import type { Route } from './component.js';

/**
 * Runs a workflow as part of another one's step, on the same exchange. What fails in it fails the step, so that the
 * calling workflow's own error handler judges it and may call again.
 * @param giveBack puts right what the call changed on the exchange, before its failure is thrown
 */
export function handOver(route: Route, exchange: Exchange, giveBack?: () => void): void | Promise<void> {
  const mine = exchange[journey];
  const pending = route.pass(exchange);
  if (pending === undefined) arrive(exchange, giveBack);
  else return arriveLater(exchange, mine, pending, giveBack);
}

async function arriveLater(
  exchange: Exchange,
  mine: Journey | null,
  pending: Promise<void>,
  giveBack: (() => void) | undefined,
): Promise<void> {
  await pending;
  // Another mark: nobody waits for this any more, and the exchange is on another way.
  if (exchange[journey] === mine) arrive(exchange, giveBack);
}

function arrive(exchange: Exchange, giveBack: (() => void) | undefined): void {
  giveBack?.();
  const failure = exchange.takeFailure();
  if (failure !== null) throw failure;
}
