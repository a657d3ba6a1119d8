import type { Environment } from '../../common/platform/config/process-environment.js';
import type { Terminal } from '../terminal.js';

/** A terminal that keeps what a command writes. */
export interface RecordedTerminal extends Terminal {
  readonly written: { out: string; err: string };
}

export function recordedTerminal(
  environment: Environment = {},
  settings: Partial<Pick<Terminal, 'folder' | 'isTerminal' | 'hasColour'>> = {},
): RecordedTerminal {
  const written = { out: '', err: '' };
  return {
    environment,
    folder: '/',
    isTerminal: false,
    hasColour: false,
    ...settings,
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  };
}
