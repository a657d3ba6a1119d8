import type { Log, LogLevel } from '../../common/engine/api/ports.js';

/** Keeps the lines of a test's log. */
export class RecordedLog implements Log {
  readonly lines: string[] = [];

  write(_level: LogLevel, message: string): void {
    this.lines.push(message);
  }
}
