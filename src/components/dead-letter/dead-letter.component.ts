import { isRecord } from '../../common/engine/model/is-record.js';
import { Component, type Endpoint } from '../../common/engine/api/component.js';
import { duration, integer, readOptions } from '../../common/engine/api/options.js';
import type { Log } from '../../common/engine/api/ports.js';
import { matchedCode } from '../../common/engine/error-handlers/exception-clause.js';
import { HelixError } from '../../common/engine/errors/helix-error.js';
import type { EndpointUri } from '../../common/engine/model/endpoint-uri.js';
import type { Exchange, ExchangePattern } from '../../common/engine/model/exchange.js';
import { keepBody, keepHeaders, type KeptBody } from './keep-message.js';

/** A message that could not be done, as it is kept. */
export interface NewDeadLetter {
  readonly queue: string;
  /** Whose message it is; null where nobody of a workspace sent it. */
  readonly organizationId: string | null;
  readonly projectId: string | null;
  /** The workflow that takes the message when it is sent again; null where it was part of a way only. */
  readonly workflowId: string | null;
  readonly failedAt: { readonly workflowId: string | null; readonly stepId: string | null };
  /** Null where a step put the message aside without a failure. The message holds no secret that the log knows. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly attempts: number;
  readonly pattern: ExchangePattern;
  readonly correlationId: string;
  readonly body: KeptBody;
  /** Without the engine's own; values of those that may be secret read `[secret]`. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** What the HTTP edge told of the request, redacted in the same way; null where it came another way. */
  readonly attributes: Readonly<Record<string, unknown>> | null;
  /** The letter that was sent again when this failure came about. */
  readonly replayOf: string | null;
  readonly retentionMs: number;
}

/** What the component asks of the world; the dead-letters module answers with a table. */
export interface DeadLetterStore {
  /** Resolves once the letter is durable. */
  keep(letter: NewDeadLetter): Promise<void>;
}

/** On exchanges that send a letter again: its id. */
export const REPLAY_HEADER = 'HelixDeadLetterId';

const dayMs = 86_400_000;
const longestMessage = 4_000;

const deadLetterOptions = {
  retention: duration('How long a letter is kept.', 30 * dayMs),
  'max-body-bytes': integer(
    'Longer bodies are cut; such a letter can be read and not sent again.',
    1_048_576,
    { minimum: 0, maximum: 16_777_216 },
  ),
};

/** `dead-letter://name`: keeps what could not be done, to be looked at and sent again. */
export class DeadLetterComponent extends Component {
  readonly scheme = 'dead-letter';
  readonly description = 'Keeps messages that could not be done, to be read, sent again or discarded.';
  readonly options = deadLetterOptions;

  constructor(
    private readonly store: DeadLetterStore,
    private readonly log: Log,
  ) {
    super();
  }

  endpoint(uri: EndpointUri): Endpoint {
    const { retention, 'max-body-bytes': mostBytes } = readOptions(uri, this.options);
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(uri.path)) {
      throw new HelixError(
        'WORKSPACE.INVALID',
        'dead-letter:// needs a name of letters, digits, "_", "." and "-": write dead-letter://orders.',
      );
    }
    return {
      uri,
      wantsReceived: true,
      producer: () => (exchange) =>
        this.store.keep(this.#letter(uri.path, exchange, { retentionMs: retention, mostBytes })),
    };
  }

  override lastResort(workflowId: string): string {
    return `dead-letter://${workflowId}`;
  }

  #letter(
    queue: string,
    exchange: Exchange,
    { retentionMs, mostBytes }: { readonly retentionMs: number; readonly mostBytes: number },
  ): NewDeadLetter {
    const { caught, failedAt, received, caller } = exchange;
    // What the workflow received, not what became of it on the way: only that can be sent again.
    const { body, headers } = received?.message ?? exchange.in;
    const attempts = exchange.headers.get('HelixFailureAttempts');
    const attributes = exchange.properties.get('attributes');
    return {
      queue,
      organizationId: caller.organizationId,
      projectId: caller.projectId,
      workflowId: received?.workflowId ?? null,
      failedAt: failedAt ?? { workflowId: exchange.workflowId, stepId: exchange.stepId },
      error: caught && { code: matchedCode(caught), message: this.#redact(caught.message) },
      attempts: typeof attempts === 'number' ? attempts : 1,
      pattern: received?.pattern ?? 'InOnly',
      correlationId: exchange.correlationId,
      body: keepBody(body, mostBytes),
      headers: keepHeaders(headers.toObject()),
      attributes: isRecord(attributes) ? keepHeaders(attributes) : null,
      replayOf: headers.text(REPLAY_HEADER) ?? exchange.headers.text(REPLAY_HEADER) ?? null,
      retentionMs,
    };
  }

  #redact(message: string): string {
    const text = this.log.redact?.(message) ?? message;
    return text.length <= longestMessage
      ? text
      : `${text.slice(0, longestMessage)}… (${text.length} characters)`;
  }
}
