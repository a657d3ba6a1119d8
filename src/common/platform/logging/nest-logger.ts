import type { LoggerService } from '@nestjs/common';
import type { LogLevel } from '../../engine/api/ports.js';
import { ConfigurationError } from '../config/configuration-error.js';
import type { HelixLog } from './helix-log.js';

/** Nest's chatter of the boot, one line a route and module: for whoever debugs the boot. */
const chatter = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest's logger on our log, so that a framework line looks like any other and is redacted like any other. */
export class NestLogger implements LoggerService {
  readonly #log: HelixLog;

  constructor(log: HelixLog) {
    this.#log = log;
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.#write(chatter.has(contextOf(rest) ?? '') ? 'debug' : 'info', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }

  #write(level: LogLevel, message: unknown, rest: unknown[]): void {
    const error = message instanceof Error ? message : rest.find((part) => part instanceof Error);
    // Whoever starts Helix prints its sentence; the stack is for whoever debugs the boot.
    if (error instanceof ConfigurationError) level = 'debug';
    const text = message instanceof Error ? message.message : String(message);
    this.#log.write(level, text, { context: contextOf(rest), ...(error !== undefined && { error }) });
  }
}

/** Nest passes the name of the class that speaks as the last argument. */
function contextOf(rest: readonly unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}
