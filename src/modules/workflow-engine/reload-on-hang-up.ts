import { closeSync, openSync } from 'node:fs';
import type { Log } from '../../common/engine/api/ports.js';
import type { WorkspaceReload } from './workspace-reload.js';

/**
 * SIGHUP loads the workspace again. Where the process was started on a terminal and the terminal is gone, the signal means
 * what it meant before there were reloads: stop.
 */
export function reloadOnHangUp(reload: WorkspaceReload, log: Log): void {
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY;
  process.on('SIGHUP', () => {
    if (hasTerminal && !isTerminalThere()) {
      log.write('info', 'The terminal is gone: stopping.');
      process.kill(process.pid, 'SIGTERM');
    } else void reload.attempt('SIGHUP');
  });
}

function isTerminalThere(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
