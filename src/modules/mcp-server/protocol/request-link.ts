import { isRecord } from '../../../common/engine/model/is-record.js';
import type {
  AskedQuestion,
  CallerLink,
  LinkLevel,
  Progress,
} from '../../../common/engine/model/caller-link.js';
import { HelixError } from '../../../common/engine/errors/helix-error.js';
import { isId, notification, RpcError, rpcCodes, type Params } from './json-rpc.js';
import { logLevels, type Peer } from './peer.js';
import { isAnswer, missingFor, requestOf, type ClientRequest } from './questions.js';

export type Questions = ReadonlyMap<string, AskedQuestion>;
export type Answers = ReadonlyMap<string, unknown>;

/** How questions reach the client. */
export interface Asker {
  ask(questions: Questions): Promise<Answers>;
}

/** The link of a workflow to the client behind one request. */
export class RequestLink implements CallerLink {
  #isOpen = true;
  #progress = -Infinity;
  readonly #token: string | number | null;

  constructor(
    private readonly peer: Peer,
    params: Params,
    public asker: Asker,
  ) {
    const meta = params['_meta'];
    const token = isRecord(meta) ? meta['progressToken'] : undefined;
    this.#token = isId(token) ? token : null;
  }

  log(level: LinkLevel, message: string, logger: string): void {
    const least = this.peer.facts.logLevel;
    if (!this.#isOpen || least === null || logLevels.indexOf(level) < logLevels.indexOf(least)) return;
    this.peer.notify(notification('notifications/message', { level, logger, data: message }));
  }

  /** The protocol wants the number to grow, so one that does not is left out. */
  progress({ progress, total, message }: Progress): void {
    if (!this.#isOpen || this.#token === null || progress <= this.#progress) return;
    this.#progress = progress;
    const params = {
      progressToken: this.#token,
      progress,
      ...(total === null ? {} : { total }),
      ...(message === null ? {} : { message }),
    };
    this.peer.notify(notification('notifications/progress', params));
  }

  ask(questions: Questions): Promise<Answers> {
    return this.asker.ask(questions);
  }

  /** The answer is under way: nothing may follow it. */
  close(): void {
    this.#isOpen = false;
  }
}

/** Asks by requests of its own on the stream of the call: MCP 2025-11-25 and before. */
export class AskByRequest implements Asker {
  constructor(
    private readonly peer: Peer,
    private readonly signal: AbortSignal,
  ) {}

  async ask(questions: Questions): Promise<Answers> {
    const { facts, request } = this.peer;
    const able = [...questions].filter(([name, asked]) => {
      const missing = missingFor(asked.question, facts);
      if (missing !== null && !asked.isOptional) throw nobodyToAsk(name, missing);
      return missing === null;
    });
    if (able.length > 0 && request === null)
      throw new HelixError(
        'ENGINE.NOBODY_TO_ASK',
        'The workflow must ask its caller, who takes no event stream.',
      );
    return new Map(
      await Promise.all(able.map(async ([name, asked]) => [name, await this.#one(name, asked)] as const)),
    );
  }

  async #one(name: string, asked: AskedQuestion): Promise<unknown> {
    const { method, params } = requestOf(asked.question);
    const answer = await this.peer.request?.(method, params, this.signal);
    if (isAnswer(asked, answer)) return answer;
    throw new HelixError(
      'ENGINE.INVALID_MESSAGE',
      `The client's answer to "${name}" is not what was asked for.`,
    );
  }
}

/**
 * Asks by ending the call: what is not answered yet becomes the result, and the client sends the call again with the
 * answers (MCP 2026-07-28, "Multi Round-Trip Requests"). The workflow then runs again from its start. Held in memory
 * instead, a waiting call would pin its workflow for as long as a person takes, on the one node that has it.
 */
export class AskByResult implements Asker {
  /** What ended the call, if anything did. */
  outcome: { readonly requests: Readonly<Record<string, ClientRequest>> } | RpcError | null = null;
  readonly #accepted: Record<string, unknown> = {};
  readonly #times = new Map<string, number>();

  constructor(
    private readonly peer: Peer,
    /** Of this round and the earlier ones, by key. */
    private readonly answers: Readonly<Record<string, unknown>>,
    private readonly call: AbortController,
  ) {}

  /** Sound answers that the workflow has asked for so far. */
  get accepted(): Readonly<Record<string, unknown>> {
    return this.#accepted;
  }

  async ask(questions: Questions): Promise<Answers> {
    const found = new Map<string, unknown>();
    const requests: Record<string, ClientRequest> = {};
    for (const [name, asked] of questions) {
      const missing = missingFor(asked.question, this.peer.facts);
      if (missing !== null && asked.isOptional) continue;
      if (missing !== null) return this.#end(missingCapability(missing));
      const key = this.#key(name);
      const answer = Object.hasOwn(this.answers, key) ? this.answers[key] : undefined;
      if (isAnswer(asked, answer)) {
        found.set(name, answer);
        this.#accepted[key] = answer;
      } else requests[key] = requestOf(asked.question);
    }
    return Object.keys(requests).length === 0 ? found : this.#end({ requests });
  }

  /** A name that is asked for again (a loop) has a key of its own each time, the same in every run. */
  #key(name: string): string {
    const time = (this.#times.get(name) ?? 0) + 1;
    this.#times.set(name, time);
    return time === 1 ? name : `${name}#${time}`;
  }

  /** Aborted, since a failure would be for the workflow's error handler to deal with. */
  #end(outcome: NonNullable<AskByResult['outcome']>): never {
    this.outcome ??= outcome;
    const reason = new HelixError('ENGINE.CANCELLED', 'The workflow waits for answers of its caller.');
    this.call.abort(reason);
    throw reason;
  }
}

export function missingCapability(requiredCapabilities: Readonly<Record<string, unknown>>): RpcError {
  return new RpcError(rpcCodes.missingCapability, 'The client lacks a capability that this request needs.', {
    requiredCapabilities,
  });
}

export function nobodyToAsk(name: string, missing: Readonly<Record<string, object>>): HelixError {
  return new HelixError(
    'ENGINE.NOBODY_TO_ASK',
    `The workflow must ask its caller "${name}", and the client does not declare ${Object.keys(missing).join(', ')}.`,
    { details: { requiredCapabilities: missing } },
  );
}
