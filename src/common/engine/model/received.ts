import type { ExchangePattern } from './exchange.js';
import type { Message } from './message.js';

/** A message as a workflow received it, kept for as long as a dead letter may have to be written of it. */
export interface Received {
  readonly workflowId: string;
  readonly message: Message;
  readonly pattern: ExchangePattern;
  /** Where its dead letter goes; null where none is written by itself. */
  readonly destination: string | null;
  /** What the workflow that waits for this one received. */
  readonly outer: Received | null;
  /** One message makes one letter, however many of its branches fail. */
  isBuried: boolean;
}
