import type { Exchange, ExchangeInit } from '../model/exchange.js';

/**
 * How code outside a workflow sends into the engine. The one way to invoke a tool is `request('tool://id', …)`, so that
 * REST, MCP, agents and workflows pass the same chain.
 */
export interface EngineClient {
  /**
   * Sends an InOut exchange to the URI and resolves when it is done. Never rejects for a failure of the workflow: look
   * at `exchange.failure`.
   */
  request(uri: string, init: Omit<ExchangeInit, 'id' | 'createdAt'>): Promise<Exchange>;
}
