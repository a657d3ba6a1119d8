import type { Exchange } from '../model/exchange.js';

/**
 * One piece of work on an exchange. A synchronous one returns nothing, so that it costs no turn of the event loop.
 * It fails by throwing; the pipeline turns that into `exchange.failure`.
 */
export type Processor = (exchange: Exchange) => void | Promise<void>;
