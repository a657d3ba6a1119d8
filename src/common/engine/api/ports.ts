import type { FieldProblem } from '../errors/helix-error.js';
import type { Place } from '../model/source-node.js';

/** What the engine needs of the world, each as small as the need. The platform fills them; tests fill them by hand. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `ms` milliseconds; the returned function takes it back. */
  schedule(ms: number, task: () => void): () => void;
}

export interface IdSource {
  /** A new unique id, sortable by time (UUIDv7, RFC 9562). */
  next(): string;
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Structured logging. `facts` hold no secrets: the filling redacts what it knows to be one all the same. */
export interface Log {
  /** False where a line of this level would go nowhere, so that nobody builds it. Absent: all are wanted. */
  isEnabled?(level: LogLevel): boolean;
  /** A text for somebody outside, with every secret that is known masked. Absent: none is known. */
  redact?(text: string): string;
  write(level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>): void;
}

/** Told which ways are taken that no step shows, for whoever measures how much of a workspace was run. */
export interface Witness {
  /** A clause of `on-exception` decides what a failure becomes. */
  clauseTaken(place: Place): void;
}

/** Compiles a JSON Schema 2020-12 into a check that answers every violation, an empty list where there is none. */
export interface SchemaValidator {
  /** @throws Error where the schema itself is wrong. */
  compile(schema: Readonly<Record<string, unknown>>): (value: unknown) => readonly FieldProblem[];
}
