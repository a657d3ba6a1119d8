import type { ServerResponse } from 'node:http';

/** Requests that are not answered to the end, so that closing can wait for them. */
export class OpenRequests {
  readonly #open = new Set<ServerResponse>();
  #whenIdle: (() => void) | null = null;

  add(response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#whenIdle?.();
    });
  }

  /** Waits for these no longer. */
  forget(responses: readonly ServerResponse[]): void {
    for (const response of responses) this.#open.delete(response);
  }

  /** Resolves when all are answered, or after `graceMs`. */
  async idle(graceMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
