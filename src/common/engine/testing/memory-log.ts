import type { Log, LogLevel } from '../api/ports.js';

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Keeps what was logged. */
export class MemoryLog implements Log {
  readonly lines: LogLine[] = [];

  write(level: LogLevel, message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level, message, facts });
  }

  messages(level?: LogLevel): readonly string[] {
    return this.lines
      .filter((line) => level === undefined || line.level === level)
      .map(({ message }) => message);
  }
}
