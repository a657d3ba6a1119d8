/** What a step wants to know from whoever made the call, or from the program they use. */
export type Question =
  /** A form: `schema` is an object of plain fields (JSON Schema 2020-12). */
  | { readonly kind: 'form'; readonly message: string; readonly schema: Readonly<Record<string, unknown>> }
  /** A page to visit, for what must not pass through the program (a password, a consent). */
  | { readonly kind: 'url'; readonly message: string; readonly url: string }
  /** A text that the caller's own model writes. */
  | {
      readonly kind: 'sample';
      /** One text of the user, or messages as `{ role, content }`. */
      readonly prompt: unknown;
      readonly system: string | null;
      readonly maxTokens: number;
    }
  /** The folders the caller works in. */
  | { readonly kind: 'roots' };

export interface AskedQuestion {
  readonly question: Question;
  /** Left unasked, and unanswered, where the caller's program cannot take it. */
  readonly isOptional: boolean;
  /** Asked of the call itself, before it becomes a task that runs on its own. */
  readonly isBeforeTask: boolean;
  /** What is wrong with the content of an accepted form; empty where nothing is. */
  problems(content: unknown): readonly { readonly path: string; readonly message: string }[];
}

export type LinkLevel = 'debug' | 'info' | 'warning' | 'error';

export interface Progress {
  readonly progress: number;
  readonly total: number | null;
  readonly message: string | null;
}

/**
 * The way from a running exchange back to whoever waits for it. Edges that have one put it on the exchange; what is told
 * when nobody listens any more is lost without a failure.
 */
export interface CallerLink {
  log(level: LinkLevel, message: string, logger: string): void;
  progress(progress: Progress): void;
  /**
   * Asks several things at once. Resolves with the answers by name, as the protocol brings them: `{ action, content }`
   * of a form, a message of a model, a list of roots.
   * @throws HelixError `ENGINE.NOBODY_TO_ASK`, or the reason for which the exchange was aborted
   */
  ask(questions: ReadonlyMap<string, AskedQuestion>): Promise<ReadonlyMap<string, unknown>>;
}
