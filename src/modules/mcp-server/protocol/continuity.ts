import type { LegacySessions } from './legacy-sessions.js';
import type { TaskShelf } from './tasks.js';

/**
 * What clients count on between two requests: their sessions and their tasks. A server hands it to the one that follows it
 * on its address, and the last that holds it ends it.
 */
export class Continuity {
  readonly #holders = new Set<object>();
  readonly #serving = new Set<object>();

  constructor(
    readonly sessions: LegacySessions,
    readonly tasks: TaskShelf | null,
  ) {}

  join(server: object): this {
    this.#holders.add(server);
    this.#serving.add(server);
    return this;
  }

  /** The server takes nothing new. @returns whether another goes on */
  retire(server: object): boolean {
    this.#serving.delete(server);
    return this.#serving.size > 0;
  }

  release(server: object): void {
    this.retire(server);
    this.#holders.delete(server);
    if (this.#holders.size > 0) return;
    this.sessions.close();
    this.tasks?.close();
  }
}
