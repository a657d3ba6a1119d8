import type { Writable } from 'node:stream';
import { destination as fileDestination, pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Log, LogLevel as EngineLogLevel } from '../../engine/api/ports.js';
import type { LogFormat, LogLevel } from '../config/helix-config.js';
import { presentFacts } from './facts.js';
import { SecretRegistry } from './secret-registry.js';

export interface LogSettings {
  readonly level: LogLevel;
  /** undefined = pretty where the stream is a terminal, else json. */
  readonly format?: LogFormat | undefined;
  /** Where lines go; `stderr` keeps standard output free for a protocol (MCP over stdio). Default `stdout`. */
  readonly to?: 'stdout' | 'stderr' | Writable;
  readonly secrets?: SecretRegistry;
  /** Facts that every line gets, such as the id of the request in whose course it is written. */
  readonly context?: () => Readonly<Record<string, unknown>>;
}

/**
 * The log of one app: structured lines, through pino. It fills the engine's `Log` port, is injectable by its class,
 * and masks every registered secret in the finished line, wherever it came from.
 *
 * ```ts
 * constructor(private readonly log: HelixLog) {}
 * this.log.write('info', 'Connection saved.', { connectionId });
 * this.log.write('error', 'Settlement failed.', { callId, error });
 * ```
 * Facts named like a secret (`authorization`, `token`, …) are masked; `body`, `headers`, `input` and `result` are
 * left out. An `error` fact tells name, message, code and stack, of a failed query only SQLSTATE and constraint.
 */
export class HelixLog implements Log {
  readonly secrets: SecretRegistry;
  readonly #pino: Logger;
  readonly #close: () => void;

  constructor(settings: LogSettings) {
    this.secrets = settings.secrets ?? new SecretRegistry();
    const target = openTarget(settings);
    this.#close = target.close;
    this.#pino = pino(
      {
        level: settings.level,
        base: null,
        messageKey: 'message',
        ...(settings.context && { mixin: settings.context }),
        timestamp: () => `,"time":"${new Date().toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
      },
      { write: (line: string) => target.stream.write(this.secrets.redact(line)) },
    );
  }

  write(level: EngineLogLevel | 'fatal', message: string, facts?: Readonly<Record<string, unknown>>): void {
    if (!this.#pino.isLevelEnabled(level)) return;
    if (facts === undefined) this.#pino[level](message);
    else this.#pino[level](presentFacts(facts), message);
  }

  redact(text: string): string {
    return this.secrets.redact(text);
  }

  isEnabled(level: EngineLogLevel): boolean {
    return this.#pino.isLevelEnabled(level);
  }

  /** Flushes and lets go of the stream; the log may not be used afterwards. */
  close(): void {
    this.#close();
  }
}

function openTarget({ format, to = 'stdout' }: LogSettings): {
  stream: DestinationStream;
  close: () => void;
} {
  const isTerminal = to === 'stdout' ? process.stdout.isTTY : to === 'stderr' ? process.stderr.isTTY : false;
  const isPretty = (format ?? (isTerminal ? 'pretty' : 'json')) === 'pretty';
  const fd = to === 'stderr' ? 2 : 1;
  if (isPretty) {
    // As a stream in this process, not a worker: the last lines before an exit must not be lost.
    const stream = pretty({
      destination: typeof to === 'object' ? to : fd,
      sync: true,
      colorize: isTerminal,
      messageKey: 'message',
      timestampKey: 'time',
      translateTime: 'SYS:HH:MM:ss.l',
      ignore: 'pid,hostname',
    });
    return { stream, close: () => stream.end() };
  }
  if (typeof to === 'object') return { stream: { write: (line) => void to.write(line) }, close: () => {} };
  const stream = fileDestination({ dest: fd, sync: true });
  return { stream, close: () => stream.flushSync() };
}
