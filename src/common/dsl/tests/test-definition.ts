import type { Place, SourceNode } from '../../engine/model/source-node.js';

/** A script of a test, to be compiled by whoever runs it. */
export interface TestScript {
  readonly source: string;
  readonly place: Place;
}

/** Names addresses: an exact one, a prefix that ends in `*`, or a `/regular expression/`; options do not count. */
export interface AddressText {
  readonly text: string;
  readonly place: Place;
}

/** Data of a test with its place, and what of it must not be shown. */
export interface Data {
  readonly value: unknown;
  readonly place: Place;
}

/** One message for the trigger of the workflow. */
export interface TestMessage {
  readonly place: Place;
  /** HTTP method; null for what the trigger serves first. */
  readonly method: string | null;
  /** Values for the `{names}` of the trigger's path, or the whole path. */
  readonly path: string | Readonly<Record<string, unknown>> | null;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Undefined: none. */
  readonly body: unknown;
  readonly pattern: 'InOut' | 'InOnly';
  /** Virtual milliseconds to let pass before it is sent. */
  readonly afterMs: number;
}

/** How something goes wrong: with a failure, or by never answering. */
export interface Mishap {
  /** An error code, one of the table or the author's own; null: none. */
  readonly fail: string | null;
  readonly message: string | null;
  /** Answers nobody, until whoever waits gives up. */
  readonly hang: boolean;
  readonly delayMs: number;
}

/** One answer of a mock. */
export interface Reply extends Mishap {
  /** Undefined: the body stays as it came. */
  readonly body: unknown;
  readonly script: TestScript | null;
  readonly headers: Readonly<Record<string, unknown>>;
  /** How many calls it answers. */
  readonly times: number;
}

/** Stands in for every target whose address fits. */
export interface Mock {
  readonly uri: AddressText;
  /** In order; the last one answers all further calls. */
  readonly replies: readonly Reply[];
}

/** Goes wrong before a target that is otherwise the real one. */
export interface Fault extends Mishap {
  readonly uri: AddressText;
  /** Counted from 1; null: every call. */
  readonly call: number | null;
}

export interface FailureExpectation {
  readonly place: Place;
  readonly code: string | null;
  /** A part of the message. */
  readonly message: string | null;
  /** Id of the step where it arose. */
  readonly step: string | null;
}

export interface CallExpectation {
  readonly place: Place;
  readonly to: AddressText;
  readonly count: number | null;
  /** One for each call, in order. */
  readonly bodies: Data | null;
  /** As `bodies`, in part. */
  readonly contains: Data | null;
  /** One map for each call; only the named headers count. */
  readonly headers: Data | null;
}

export interface LetterExpectation {
  readonly place: Place;
  readonly code: string | null;
  readonly contains: Data | null;
}

export interface ElapsedExpectation {
  readonly place: Place;
  readonly exactlyMs: number | null;
  readonly atLeastMs: number | null;
  readonly atMostMs: number | null;
}

/** What a test says of the outcome; null where it says nothing. */
export interface Expectations {
  readonly place: Place;
  readonly status: { readonly value: number; readonly place: Place } | null;
  readonly body: Data | null;
  readonly contains: Data | null;
  readonly that: readonly TestScript[];
  /** Only the named ones count; null stands for an absent header. */
  readonly headers: Data | null;
  readonly failure: FailureExpectation | null;
  readonly properties: Data | null;
  readonly calls: readonly CallExpectation[];
  readonly letters: { readonly list: readonly LetterExpectation[]; readonly place: Place } | null;
  /** Texts that must stand in the log, each in a line. */
  readonly log: readonly { readonly text: string; readonly place: Place }[];
  readonly elapsed: ElapsedExpectation | null;
}

/** One entry of `tests:`. */
export interface TestDefinition {
  readonly name: string;
  readonly place: Place;
  readonly source: SourceNode;
  readonly subject: { readonly kind: 'workflow' | 'tool'; readonly id: string; readonly place: Place };
  /** Why it is not run. */
  readonly skip: string | null;
  readonly messages: readonly TestMessage[];
  readonly mocks: readonly Mock[];
  readonly faults: readonly Fault[];
  /** Outward targets that are really called. */
  readonly allow: readonly AddressText[];
  /** Milliseconds since the epoch at which the clock stands first. */
  readonly startMs: number;
  /** How much virtual time passes once the messages are answered; null: until nothing is on its way. */
  readonly runForMs: number | null;
  readonly expect: Expectations;
}
